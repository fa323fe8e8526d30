//! The keys of the evidence.

use super::at::sortable;
use super::{At, Span};
use crate::record::{Aged, EvidenceHead, EvidenceTotal, Unsettled};
use voight_domain::check::EvidenceBatch;
use voight_domain::vocabulary::{CheckId, Timestamp};

/// What is kept of a check's evidence.
pub(crate) fn evidence_head(check: CheckId) -> At<EvidenceHead> {
    At::new(&[&check.to_bytes()])
}

/// A batch of a check.
pub(crate) fn evidence(check: CheckId, number: u8) -> At<EvidenceBatch> {
    At::new(&[&check.to_bytes(), &[number]])
}

/// The batches of a check.
pub(crate) fn evidence_of(check: CheckId) -> Span<EvidenceBatch> {
    Span::under(&[&check.to_bytes()])
}

/// The place of a check among all with evidence, oldest first.
pub(crate) fn aged(opened_at: Timestamp, check: CheckId) -> At<Aged> {
    At::new(&[&sortable(opened_at), &check.to_bytes()])
}

/// Checks with evidence that were opened before this.
pub(crate) fn aged_before(opened_before: Timestamp) -> Span<Aged> {
    Span::all().before(&[&sortable(opened_before)])
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
