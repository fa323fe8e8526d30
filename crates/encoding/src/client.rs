//! Encoding of clients.

use crate::ByteEnum;
use crate::{Encode, VERSION};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::registry::{Client, ClientStatus, ContextAccess};
use voight_domain::vocabulary::{ClientId, ClientName, Origin, Timestamp};

impl Encode for Client {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        encode_client(&mut out, self);
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let client = decode_client(&mut input)?;
        input.finish()?;
        Ok(client)
    }
}

/// Appends the fields of a client, for records that contain more than the client.
pub(crate) fn encode_client(out: &mut Encoder, client: &Client) {
    out.fixed(&client.id.to_bytes())
        .str(client.name.as_str())
        .u8(client.status.code());
    out.list(&client.origins, |out, origin| {
        out.str(origin.as_str());
    });
    out.option(client.lookup_rate, |out, rate| {
        out.uint(rate.into());
    });
    out.int(client.created_at.as_millis())
        .u8(client.contexts.code());
}

/// Reads the fields that [`encode_client`] wrote.
pub(crate) fn decode_client(input: &mut Decoder<'_>) -> Result<Client, DecodeError> {
    Ok(Client {
        id: ClientId::from_bytes(input.fixed()?),
        name: client_name(input)?,
        status: ClientStatus::from_code(input.u8()?)?,
        origins: input.list(origin)?,
        lookup_rate: input.option(Decoder::uint_as)?,
        created_at: Timestamp::from_millis(input.int()?),
        contexts: ContextAccess::from_code(input.u8()?)?,
    })
}

/// Reads the name of a client.
pub(crate) fn client_name(input: &mut Decoder<'_>) -> Result<ClientName, DecodeError> {
    ClientName::from_record(input.str()?).ok_or(DecodeError::OutOfRange("the name of a client"))
}

/// Reads an origin.
pub(crate) fn origin(input: &mut Decoder<'_>) -> Result<Origin, DecodeError> {
    Origin::from_record(input.str()?).ok_or(DecodeError::OutOfRange("an origin"))
}
