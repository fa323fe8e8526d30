//! Record keys of the evidence database.

use super::{KeyRange, RecordKey};
use crate::record::{EvidenceByExpiry, EvidenceSummary, EvidenceTotal, UnjudgedCheck};
use voight_domain::check::EvidenceBatch;
use voight_domain::vocabulary::{CheckId, Timestamp};
use voight_encoding::keyspace::to_sortable_bytes;

/// Key of the summary of a check's evidence.
pub(crate) fn evidence_head(check: CheckId) -> RecordKey<EvidenceSummary> {
    RecordKey::new(&[&check.to_bytes()])
}

/// Range of the evidence summaries of checks opened before `opened_before`, oldest first. A check id starts with its
/// time.
pub(crate) fn evidence_heads_before(opened_before: Timestamp) -> KeyRange<EvidenceSummary> {
    KeyRange::all().ending_before(&[&CheckId::new(opened_before, [0; 10]).to_bytes()])
}

/// Key of one evidence batch of a check.
pub(crate) fn evidence(check: CheckId, number: u8) -> RecordKey<EvidenceBatch> {
    RecordKey::new(&[&check.to_bytes(), &[number]])
}

/// Range of the evidence batches of a check.
pub(crate) fn evidence_of(check: CheckId) -> KeyRange<EvidenceBatch> {
    KeyRange::with_prefix(&[&check.to_bytes()])
}

/// Key of a check in the index by expiry of its evidence.
pub(crate) fn by_expiry(keep_until: Timestamp, check: CheckId) -> RecordKey<EvidenceByExpiry> {
    RecordKey::new(&[&to_sortable_bytes(keep_until), &check.to_bytes()])
}

/// Range of the checks whose evidence expired before `now`.
pub(crate) fn due_before(now: Timestamp) -> KeyRange<EvidenceByExpiry> {
    KeyRange::all().ending_before(&[&to_sortable_bytes(now)])
}

/// Key of a check in the index of unjudged checks, which is sorted by opening time.
pub(crate) fn unsettled(opened_at: Timestamp, check: CheckId) -> RecordKey<UnjudgedCheck> {
    RecordKey::new(&[&to_sortable_bytes(opened_at), &check.to_bytes()])
}

/// Range of the unjudged checks opened before `opened_before`.
pub(crate) fn unsettled_before(opened_before: Timestamp) -> KeyRange<UnjudgedCheck> {
    KeyRange::all().ending_before(&[&to_sortable_bytes(opened_before)])
}

/// Key of the total size of all evidence, in bytes.
pub(crate) fn evidence_total() -> RecordKey<EvidenceTotal> {
    RecordKey::new(&[])
}
