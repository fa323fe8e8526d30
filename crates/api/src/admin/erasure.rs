//! Erasure of an address.

use super::texts;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::ports::EraseMode;
use voight_domain::services::ErasureReport;

/// Address to erase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ErasureRequest {
    /// Ethereum address.
    pub address: String,
    /// Reason, written to the audit log. It must not contain an address.
    pub reason: String,
    /// `true` to count the records without deleting them.
    #[serde(default)]
    pub dry_run: bool,
}

/// Result of an erasure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Erasure {
    /// `true` if nothing was changed and the counts are of records that an erasure would delete.
    pub dry_run: bool,
    /// Digest that identifies the address in the audit log.
    pub audit_subject: String,
    /// Number of deleted records.
    pub erased: ErasedCounts,
    /// Contexts in which a tombstone keeps a flag in force.
    pub tombstones: Vec<String>,
}

/// Number of deleted records, by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErasedCounts {
    /// Verdicts.
    pub verdicts: u64,
    /// Events of their timelines.
    pub events: u64,
    /// Openings of ledger rows; the rows are kept.
    pub ledger_addresses: u64,
    /// Idempotency records with stored responses.
    pub idempotency_records: u64,
    /// Receipts of checks.
    pub receipts: u64,
    /// Labels.
    pub labels: u64,
    /// Batches of evidence.
    pub evidence_batches: u64,
    /// Checks in indices of movement fingerprints, cluster memberships, and entries in operators' clusters.
    pub links: u64,
    /// Rows of snapshots.
    pub snapshot_rows: u64,
    /// Addresses in events of clients; the events are kept.
    pub client_events: u64,
    /// Responses of webhook receivers that contain the address; the records of the deliveries are kept.
    pub deliveries: u64,
}

impl Erasure {
    /// Builds the response from the report of an erasure.
    pub fn from_report(report: &ErasureReport, mode: EraseMode) -> Self {
        let counts = &report.erased;
        Self {
            dry_run: mode == EraseMode::DryRun,
            audit_subject: report.audit_digest.to_string(),
            erased: ErasedCounts {
                verdicts: counts.verdicts,
                events: counts.events,
                ledger_addresses: counts.ledger_addresses,
                idempotency_records: counts.idempotency_records,
                receipts: counts.receipts,
                labels: counts.labels,
                evidence_batches: counts.batches,
                links: counts.links,
                snapshot_rows: counts.snapshot_rows,
                client_events: counts.client_events,
                deliveries: counts.deliveries,
            },
            tombstones: texts(&counts.tombstones),
        }
    }
}
