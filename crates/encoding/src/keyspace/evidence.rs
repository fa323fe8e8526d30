//! Metadata of evidence.

use crate::{Encode, VERSION};
use voight_domain::check::EvidenceShare;
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::vocabulary::Timestamp;

/// Version byte of a summary with the expiry of the evidence.
const VERSION_WITH_EXPIRY: u8 = 2;
/// Version byte of a summary that also has the share of the evidence.
const WITH_SHARE: u8 = 3;

/// Summary of a check's evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvidenceSummary {
    /// Opening time of the check.
    pub opened_at: Timestamp,
    /// Expiry according to the check's context; `None` in a store of format 1, which did not store it.
    pub keep_until: Option<Timestamp>,
    /// Total size of the batches in bytes.
    pub bytes: u64,
    /// `true` when the evidence was judged.
    pub judged: bool,
    /// Share of its network and context; `None` for evidence from before shares were recorded.
    pub share: Option<EvidenceShare>,
}

/// Total size of all batches in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EvidenceTotal(pub u64);

impl Encode for EvidenceSummary {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(match (self.keep_until, self.share) {
            (None, _) => VERSION,
            (Some(_), None) => VERSION_WITH_EXPIRY,
            (Some(_), Some(_)) => WITH_SHARE,
        });
        out.int(self.opened_at.as_millis());
        if let Some(keep_until) = self.keep_until {
            out.int(keep_until.as_millis());
        }
        out.uint(self.bytes).u8(u8::from(self.judged));
        if let (Some(_), Some(share)) = (self.keep_until, self.share) {
            out.fixed(&share.context).fixed(&share.network);
        }
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let version =
            bytes.first().copied().filter(|known| [VERSION_WITH_EXPIRY, WITH_SHARE].contains(known)).unwrap_or(VERSION);
        let mut input = Decoder::versioned(bytes, version)?;
        let opened_at = Timestamp::from_millis(input.int()?);
        let keep_until = if version >= VERSION_WITH_EXPIRY { Some(Timestamp::from_millis(input.int()?)) } else { None };
        let (bytes, settled) = (input.uint()?, input.bool()?);
        let share = if version >= WITH_SHARE { Some(decode_share(&mut input)?) } else { None };
        let head = Self { opened_at, keep_until, bytes, judged: settled, share };
        input.finish()?;
        Ok(head)
    }
}

fn decode_share(input: &mut Decoder<'_>) -> Result<EvidenceShare, DecodeError> {
    Ok(EvidenceShare { context: input.fixed()?, network: input.fixed()? })
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
