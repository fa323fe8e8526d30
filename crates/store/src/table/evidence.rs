//! The keys of the evidence.

use super::{KeyRange, RecordKey};
use crate::record::{EvidenceByAge, EvidenceByExpiry, EvidenceSummary, EvidenceTotal, UnjudgedCheck};
use voight_domain::check::EvidenceBatch;
use voight_domain::vocabulary::{CheckId, Timestamp};
use voight_record::ordered::to_sortable_bytes;

/// What is kept of a check's evidence.
pub(crate) fn evidence_head(check: CheckId) -> RecordKey<EvidenceSummary> {
    RecordKey::new(&[&check.to_bytes()])
}

/// What is kept of the evidence of checks that were opened before this, oldest first: their ids lead with that time.
pub(crate) fn evidence_heads_before(opened_before: Timestamp) -> KeyRange<EvidenceSummary> {
    KeyRange::all().ending_before(&[&CheckId::new(opened_before, [0; 10]).to_bytes()])
}

/// A batch of a check.
pub(crate) fn evidence(check: CheckId, number: u8) -> RecordKey<EvidenceBatch> {
    RecordKey::new(&[&check.to_bytes(), &[number]])
}

/// The batches of a check.
pub(crate) fn evidence_of(check: CheckId) -> KeyRange<EvidenceBatch> {
    KeyRange::with_prefix(&[&check.to_bytes()])
}

/// The place of a check among all with evidence, oldest first; only in stores of format 1.
pub(crate) fn by_age(opened_at: Timestamp, check: CheckId) -> RecordKey<EvidenceByAge> {
    RecordKey::new(&[&to_sortable_bytes(opened_at), &check.to_bytes()])
}

/// The place of a check among all with evidence, the one that ends first in front.
pub(crate) fn by_expiry(keep_until: Timestamp, check: CheckId) -> RecordKey<EvidenceByExpiry> {
    RecordKey::new(&[&to_sortable_bytes(keep_until), &check.to_bytes()])
}

/// Checks whose evidence was kept until before `now`.
pub(crate) fn due_before(now: Timestamp) -> KeyRange<EvidenceByExpiry> {
    KeyRange::all().ending_before(&[&to_sortable_bytes(now)])
}

/// The place of a check among those not settled, oldest first.
pub(crate) fn unsettled(opened_at: Timestamp, check: CheckId) -> RecordKey<UnjudgedCheck> {
    RecordKey::new(&[&to_sortable_bytes(opened_at), &check.to_bytes()])
}

/// Checks not settled that were opened before this.
pub(crate) fn unsettled_before(opened_before: Timestamp) -> KeyRange<UnjudgedCheck> {
    KeyRange::all().ending_before(&[&to_sortable_bytes(opened_before)])
}

/// How many bytes of evidence there are.
pub(crate) fn evidence_total() -> RecordKey<EvidenceTotal> {
    RecordKey::new(&[])
}
