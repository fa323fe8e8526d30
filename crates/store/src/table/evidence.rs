//! The keys of the evidence.

use super::{At, Span};
use crate::record::{Aged, Due, EvidenceHead, EvidenceTotal, Unsettled};
use voight_domain::check::EvidenceBatch;
use voight_domain::vocabulary::{CheckId, Timestamp};
use voight_record::ordered::sortable;

/// What is kept of a check's evidence.
pub(crate) fn evidence_head(check: CheckId) -> At<EvidenceHead> {
    At::new(&[&check.to_bytes()])
}

/// What is kept of the evidence of checks that were opened before this, oldest first: their ids lead with that time.
pub(crate) fn evidence_heads_before(opened_before: Timestamp) -> Span<EvidenceHead> {
    Span::all().before(&[&CheckId::new(opened_before, [0; 10]).to_bytes()])
}

/// A batch of a check.
pub(crate) fn evidence(check: CheckId, number: u8) -> At<EvidenceBatch> {
    At::new(&[&check.to_bytes(), &[number]])
}

/// The batches of a check.
pub(crate) fn evidence_of(check: CheckId) -> Span<EvidenceBatch> {
    Span::under(&[&check.to_bytes()])
}

/// The place of a check among all with evidence, oldest first; only in stores of format 1.
pub(crate) fn aged(opened_at: Timestamp, check: CheckId) -> At<Aged> {
    At::new(&[&sortable(opened_at), &check.to_bytes()])
}

/// The place of a check among all with evidence, the one that ends first in front.
pub(crate) fn due(keep_until: Timestamp, check: CheckId) -> At<Due> {
    At::new(&[&sortable(keep_until), &check.to_bytes()])
}

/// Checks whose evidence was kept until before `now`.
pub(crate) fn due_before(now: Timestamp) -> Span<Due> {
    Span::all().before(&[&sortable(now)])
}

/// The place of a check among those not settled, oldest first.
pub(crate) fn unsettled(opened_at: Timestamp, check: CheckId) -> At<Unsettled> {
    At::new(&[&sortable(opened_at), &check.to_bytes()])
}

/// Checks not settled that were opened before this.
pub(crate) fn unsettled_before(opened_before: Timestamp) -> Span<Unsettled> {
    Span::all().before(&[&sortable(opened_before)])
}

/// How many bytes of evidence there are.
pub(crate) fn evidence_total() -> At<EvidenceTotal> {
    At::new(&[])
}
