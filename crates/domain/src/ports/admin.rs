//! What operators need of a store.

use super::StoreError;
use crate::registry::AuditEntry;
use crate::verdict::{Nats, OverrideTo, Verdict};
use crate::vocabulary::{ContextId, EoaAddress, Timestamp};
use async_trait::async_trait;

/// A verdict with the address it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerdictRecord {
    /// The address.
    pub address: EoaAddress,
    /// The verdict.
    pub verdict: Verdict,
}

/// An operator's decision on a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Override {
    /// The context.
    pub context: ContextId,
    /// The address.
    pub address: EoaAddress,
    /// The decision.
    pub to: OverrideTo,
    /// The evidence that a flag asks for in this context.
    pub tau: Nats,
    /// Why, in the operator's words.
    pub reason: String,
}

/// An audit entry with its place in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRecord {
    /// Its number, from 1, without gaps.
    pub seq: u64,
    /// The entry.
    pub entry: AuditEntry,
}

/// What a store says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreInfo {
    /// The kind of store, for example `redb`.
    pub engine: String,
    /// Its identity, a ULID given at creation.
    pub identity: String,
    /// The version of its record format.
    pub format: u32,
    /// When it was created.
    pub created_at: Timestamp,
}

/// Whether a store takes writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Health {
    /// It does.
    Ready,
    /// There is no space; reads go on.
    Full,
    /// It has stopped for good; the process should end with an error.
    Failed(String),
}

/// Operators' reads and decisions.
#[async_trait]
pub trait AdminStore: Send + Sync {
    /// At most `limit` verdicts of a context after `after`, in the order of their addresses.
    ///
    /// - `verdicts_are_paged_in_order`: pages joined give every verdict of the context once, and no other context's.
    async fn verdicts(
        &self,
        context: &ContextId,
        after: Option<EoaAddress>,
        limit: usize,
    ) -> Result<Vec<VerdictRecord>, StoreError>;

    /// Opens a new epoch ([`Verdict::overridden`]) at the adapter's own clock, with its event and audit entry, in one step.
    ///
    /// - `override_opens_an_epoch`: the epoch rises by one and the answer follows the operator's decision.
    async fn override_verdict(&self, change: Override, audit: AuditEntry) -> Result<Verdict, StoreError>;

    /// At most `limit` audit records after number `after`.
    ///
    /// - `audit_is_gapless`: numbers run from 1 without gaps.
    async fn audit(&self, after: u64, limit: usize) -> Result<Vec<AuditRecord>, StoreError>;

    /// What the store says of itself.
    fn info(&self) -> StoreInfo;

    /// Whether it takes writes.
    fn health(&self) -> Health;
}
