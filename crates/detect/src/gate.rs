//! The gate: can this evidence be of this check at all? What fails here is refused, and says nothing of anybody.

#[cfg(test)]
mod fit;
mod layout;
mod time;

use crate::wire::EvidenceDocument;
use voight_domain::check::{EvidenceBatch, GateRejection};
use voight_domain::ports::CheckEvidence;

/// A batch as it was kept, and as it was read.
pub(crate) struct ParsedBatch<'a> {
    /// With its arrival and its call.
    pub(crate) batch: &'a EvidenceBatch,
    /// With its events.
    pub(crate) parsed: EvidenceDocument,
}

/// Why the evidence cannot be of this check, if it cannot.
pub(crate) fn rejection(check: &CheckEvidence<'_>, kept: &[ParsedBatch<'_>]) -> Option<GateRejection> {
    let number = |wanted: u8| kept.iter().find(|kept| kept.parsed.ctx.batch == wanted);
    if check.completed && (number(1).is_none() || number(2).is_none()) {
        return Some(GateRejection::Incomplete);
    }
    if !layout::is_consistent(check, number(1), number(2)) {
        return Some(GateRejection::LayoutMismatch);
    }
    (!time::is_consistent(check, kept)).then_some(GateRejection::ImpossibleTiming)
}
