//! Erasing an address.

use super::texts;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::services::ErasureReport;

/// An address to erase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ErasureRequest {
    /// The address.
    pub address: String,
    /// Why; kept in the audit log, so it must not name an address.
    pub reason: String,
    /// Whether to change nothing and only to count what would go.
    #[serde(default)]
    pub dry_run: bool,
}

/// What an erase has removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Erasure {
    /// Whether nothing was changed, and this is what would go.
    pub dry_run: bool,
    /// What names the address in the audit log.
    pub audit_digest: String,
    /// How much went.
    pub erased: ErasedCounts,
    /// The contexts in which a tombstone of a flag is left.
    pub tombstones: Vec<String>,
}

/// How much went, by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErasedCounts {
    /// Verdicts.
    pub verdicts: u64,
    /// Events of their timelines.
    pub events: u64,
    /// Openings of ledger rows; the rows stay.
    pub openings: u64,
    /// Answers that were kept for idempotency keys.
    pub claims: u64,
    /// Receipts of checks.
    pub receipts: u64,
    /// Labels.
    pub labels: u64,
    /// Batches of evidence.
    pub batches: u64,
    /// Checks in indices of traces, memberships in clusters, and places in operators' clusters.
    pub links: u64,
}

impl Erasure {
    /// What is told of an erase.
    pub(crate) fn from_report(report: &ErasureReport, dry_run: bool) -> Self {
        let erased = &report.erased;
        Self {
            dry_run,
            audit_digest: report.audit_digest.to_string(),
            erased: ErasedCounts {
                verdicts: erased.verdicts,
                events: erased.events,
                openings: erased.ledger_addresses,
                claims: erased.idempotency_records,
                receipts: erased.receipts,
                labels: erased.labels,
                batches: erased.batches,
                links: erased.links,
            },
            tombstones: texts(&erased.tombstones),
        }
    }
}
