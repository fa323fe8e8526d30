//! Encoding of raw evidence.

use crate::ByteEnum;
use crate::{Encode, VERSION};
use voight_domain::check::{AddressFamily, Challenge, EvidenceBatch, RequestMetadata};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::secrets::NetworkHash;
use voight_domain::vocabulary::Timestamp;

/// Capacity estimate for the data besides a body: challenge, headers, checksum.
const BODY_OVERHEAD: usize = 1024;

impl Encode for EvidenceBatch {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::with_capacity(VERSION, self.body.len() + BODY_OVERHEAD);
        out.bytes(&self.challenge.to_bytes())
            .u8(self.number)
            .int(self.received_at.as_millis());
        encode_call(&mut out, &self.call);
        out.bytes(&self.body).finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let batch = Self {
            challenge: Challenge::from_bytes(input.bytes()?)?,
            number: input.u8()?,
            received_at: Timestamp::from_millis(input.int()?),
            call: decode_call(&mut input)?,
            body: input.bytes()?.to_vec(),
        };
        input.finish()?;
        Ok(batch)
    }
}

fn encode_call(out: &mut Encoder, call: &RequestMetadata) {
    out.list(&call.headers, |out, (name, value)| {
        out.str(name).str(value);
    });
    out.fixed(&call.network.0).u8(call.family.code());
}

fn decode_call(input: &mut Decoder<'_>) -> Result<RequestMetadata, DecodeError> {
    Ok(RequestMetadata {
        headers: input.list(|input| Ok((input.str()?.to_owned(), input.str()?.to_owned())))?,
        network: NetworkHash(input.fixed()?),
        family: AddressFamily::from_code(input.u8()?)?,
    })
}
