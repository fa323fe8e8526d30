//! Encoding of clients.

use crate::ByteEnum;
use crate::{Encode, VERSION};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::registry::{Client, ClientStatus, ContextAccess};
use voight_domain::vocabulary::{ClientId, ClientName, Origin, Timestamp};

impl Encode for Client {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(version_of(self));
        encode_client(&mut out, self);
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let version = known_version(bytes);
        let mut input = Decoder::versioned(bytes, version)?;
        let client = decode_client(&mut input, version)?;
        input.finish()?;
        Ok(client)
    }
}

/// Record version of a client with a setting for access to its contexts. The default setting is encoded as version 1,
/// in which the setting did not exist.
const WITH_CONTEXTS: u8 = 2;

/// Returns the record version for a client.
pub(crate) fn version_of(client: &Client) -> u8 {
    if client.contexts == ContextAccess::default() { VERSION } else { WITH_CONTEXTS }
}

/// Returns the record version with which to decode a client.
pub(crate) fn known_version(bytes: &[u8]) -> u8 {
    if bytes.first() == Some(&WITH_CONTEXTS) { WITH_CONTEXTS } else { VERSION }
}

/// Appends the fields of a client, for records that contain more than the client.
pub(crate) fn encode_client(out: &mut Encoder, client: &Client) {
    out.fixed(&client.id.to_bytes()).str(client.name.as_str()).u8(client.status.code());
    out.list(&client.origins, |out, origin| {
        out.str(origin.as_str());
    });
    out.option(client.lookup_rate, |out, rate| {
        out.uint(rate.into());
    });
    out.int(client.created_at.as_millis());
    if client.contexts != ContextAccess::default() {
        out.u8(client.contexts.code());
    }
}

/// Reads the fields that [`encode_client`] wrote into a record of this version.
pub(crate) fn decode_client(input: &mut Decoder<'_>, version: u8) -> Result<Client, DecodeError> {
    let client = Client {
        id: ClientId::from_bytes(input.fixed()?),
        name: client_name(input)?,
        status: ClientStatus::from_code(input.u8()?)?,
        origins: input.list(origin)?,
        lookup_rate: input.option(Decoder::uint_as)?,
        created_at: Timestamp::from_millis(input.int()?),
        contexts: ContextAccess::default(),
    };
    if version != WITH_CONTEXTS {
        return Ok(client);
    }
    match ContextAccess::from_code(input.u8()?)? {
        ContextAccess::RegisteringKey => Err(DecodeError::OutOfRange("a setting of contexts that is the default")),
        contexts @ ContextAccess::Client => Ok(Client { contexts, ..client }),
    }
}

/// Reads the name of a client.
pub(crate) fn client_name(input: &mut Decoder<'_>) -> Result<ClientName, DecodeError> {
    ClientName::from_record(input.str()?).ok_or(DecodeError::OutOfRange("the name of a client"))
}

/// Reads an origin.
pub(crate) fn origin(input: &mut Decoder<'_>) -> Result<Origin, DecodeError> {
    Origin::from_record(input.str()?).ok_or(DecodeError::OutOfRange("an origin"))
}
