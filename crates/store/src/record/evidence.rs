//! Raw evidence, and what is known of it without reading it.

use super::code::Coded;
use super::{Record, VERSION};
use crate::table::Table;
use voight_domain::check::{AddressFamily, CallFacts, Challenge, EvidenceBatch};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::secrets::NetworkHash;
use voight_domain::vocabulary::Timestamp;

/// The version byte of a head that says until when the evidence is kept.
const WITH_END: u8 = 2;

/// What is kept of a check's evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EvidenceHead {
    /// When the check was opened.
    pub(crate) opened_at: Timestamp,
    /// Until when the check's context keeps it; `None` in a store of format 1, which did not know.
    pub(crate) keep_until: Option<Timestamp>,
    /// The bytes of its batches.
    pub(crate) bytes: u64,
    /// Whether it was judged.
    pub(crate) settled: bool,
}

/// The bytes of all batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct EvidenceTotal(pub(crate) u64);

impl Record for EvidenceBatch {
    const TABLE: Table = Table::Evidence;

    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.bytes(&self.challenge.to_bytes()).u8(self.number).int(self.received_at.as_millis());
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

fn encode_call(out: &mut Encoder, call: &CallFacts) {
    out.list(&call.headers, |out, (name, value)| {
        out.str(name).str(value);
    });
    out.fixed(&call.network.0).u8(call.family.code());
}

fn decode_call(input: &mut Decoder<'_>) -> Result<CallFacts, DecodeError> {
    Ok(CallFacts {
        headers: input.list(|input| Ok((input.str()?.to_owned(), input.str()?.to_owned())))?,
        network: NetworkHash(input.fixed()?),
        family: AddressFamily::from_code(input.u8()?)?,
    })
}

impl Record for EvidenceHead {
    const TABLE: Table = Table::EvidenceHead;

    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(if self.keep_until.is_some() { WITH_END } else { VERSION });
        out.int(self.opened_at.as_millis());
        if let Some(keep_until) = self.keep_until {
            out.int(keep_until.as_millis());
        }
        out.uint(self.bytes).u8(u8::from(self.settled)).finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let with_end = bytes.first() == Some(&WITH_END);
        let mut input = Decoder::versioned(bytes, if with_end { WITH_END } else { VERSION })?;
        let opened_at = Timestamp::from_millis(input.int()?);
        let keep_until = if with_end { Some(Timestamp::from_millis(input.int()?)) } else { None };
        let head = Self { opened_at, keep_until, bytes: input.uint()?, settled: input.bool()? };
        input.finish()?;
        Ok(head)
    }
}

impl Record for EvidenceTotal {
    const TABLE: Table = Table::EvidenceTotal;

    fn encode(&self) -> Vec<u8> {
        Encoder::versioned(VERSION).uint(self.0).finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let total = Self(input.uint()?);
        input.finish()?;
        Ok(total)
    }
}
