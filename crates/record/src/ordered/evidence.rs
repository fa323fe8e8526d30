//! What is known of evidence without reading it.

use crate::{Encoded, VERSION};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::vocabulary::Timestamp;

/// The version byte of a head that says until when the evidence is kept.
const WITH_END: u8 = 2;

/// What is kept of a check's evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvidenceHead {
    /// When the check was opened.
    pub opened_at: Timestamp,
    /// Until when the check's context keeps it; `None` in a store of format 1, which did not know.
    pub keep_until: Option<Timestamp>,
    /// The bytes of its batches.
    pub bytes: u64,
    /// Whether it was judged.
    pub settled: bool,
}

/// The bytes of all batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EvidenceTotal(pub u64);

impl Encoded for EvidenceHead {
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

impl Encoded for EvidenceTotal {
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
