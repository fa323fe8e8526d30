//! Gate: rejects evidence that cannot belong to its check. A rejection says nothing about the address.

#[cfg(test)]
mod false_accept;
mod layout;
mod time;

use crate::evidence_schema::EvidenceDocument;
use voight_domain::check::{EvidenceBatch, GateRejection, TargetPosition};
use voight_domain::ports::CheckEvidence;

/// Batch as stored and as parsed.
pub(crate) struct ParsedBatch<'a> {
    /// Stored batch, with its arrival time and request metadata.
    pub(crate) batch: &'a EvidenceBatch,
    /// Parsed document, with its events.
    pub(crate) parsed: EvidenceDocument,
}

/// Returns the reason why the evidence cannot belong to this check, if it cannot.
///
/// `second_target` is the drawn position of the second target, if one was drawn.
pub(crate) fn rejection(
    check: &CheckEvidence<'_>,
    second_target: Option<TargetPosition>,
    parsed_batches: &[ParsedBatch<'_>],
) -> Option<GateRejection> {
    let number = |number: u8| {
        parsed_batches
            .iter()
            .find(|batch| batch.parsed.ctx.batch == number)
    };
    if check.completed && (number(1).is_none() || number(2).is_none()) {
        return Some(GateRejection::Incomplete);
    }
    if !layout::is_consistent(
        check.challenge.first_target(),
        second_target,
        number(1),
        number(2),
    ) {
        return Some(GateRejection::LayoutMismatch);
    }
    (!time::is_consistent(check, parsed_batches)).then_some(GateRejection::ImpossibleTiming)
}
