//! Metadata of evidence.

use crate::{Encode, VERSION};
use voight_domain::check::EvidenceShare;
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::vocabulary::Timestamp;

/// Summary of a check's evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvidenceSummary {
    /// Opening time of the check.
    pub opened_at: Timestamp,
    /// Expiry according to the check's context.
    pub keep_until: Timestamp,
    /// Total size of the batches in bytes.
    pub bytes: u64,
    /// `true` when the evidence was judged.
    pub judged: bool,
    /// Share of its network and context.
    pub share: EvidenceShare,
}

/// Total size of all batches in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EvidenceTotal(pub u64);

impl Encode for EvidenceSummary {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.int(self.opened_at.as_millis())
            .int(self.keep_until.as_millis());
        out.uint(self.bytes).u8(u8::from(self.judged));
        out.fixed(&self.share.context)
            .fixed(&self.share.network)
            .finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let head = Self {
            opened_at: Timestamp::from_millis(input.int()?),
            keep_until: Timestamp::from_millis(input.int()?),
            bytes: input.uint()?,
            judged: input.bool()?,
            share: EvidenceShare {
                context: input.fixed()?,
                network: input.fixed()?,
            },
        };
        input.finish()?;
        Ok(head)
    }
}

impl Encode for EvidenceTotal {
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
