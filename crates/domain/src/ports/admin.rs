//! What operators need of a store.

use super::StoreError;
use crate::registry::{AuditEntry, AuditHead};
use crate::secrets::AddressDigest;
use crate::verdict::{Nats, OverrideTo, Verdict};
use crate::vocabulary::{ContextId, EoaAddress, Timestamp};
use async_trait::async_trait;
use std::io;

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
    /// The digest under which a tombstone of the address is kept in that context.
    pub digest: AddressDigest,
    /// The decision.
    pub verdict: OverrideTo,
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
    OutOfSpace,
    /// It takes the writes of some clients and not those of others, whose machine of a cluster cannot be used.
    Degraded {
        /// Share of the clients that cannot be served, in percent, rounded up.
        percent: u8,
        /// The machines, and why each cannot be used.
        why: String,
    },
    /// It cannot be reached, for this reason. Calls fail meanwhile, and it is looked for all along.
    Unreachable(String),
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
    /// - `override_lifts_the_tombstone`: what an erase had left of the address is removed with it.
    async fn override_verdict(&self, change: Override, audit: AuditEntry) -> Result<Verdict, StoreError>;

    /// At most `limit` audit records after number `after`.
    ///
    /// - `audit_is_gapless`: numbers run from 1 without gaps.
    async fn audit(&self, after: u64, limit: usize) -> Result<Vec<AuditRecord>, StoreError>;

    /// Where the audit log ends; [`AuditHead::genesis`] while it is empty.
    ///
    /// - `audit_is_chained`: it is the fold of [`AuditHead::after`] over every entry in order, at any moment.
    async fn audit_head(&self) -> Result<AuditHead, StoreError>;

    /// The number of the signing key in use; 0 until the first rotation.
    async fn signing_key(&self) -> Result<u32, StoreError>;

    /// Takes the signing key of this number into use, with the audit entry, in one step. Stores know no secrets, so the number
    /// is all that they keep.
    ///
    /// - `signing_keys_count_up`: only the number after the one in use is taken; the one in use again changes nothing, and any
    ///   other is a `Conflict`.
    async fn activate_signing_key(&self, number: u32, audit: AuditEntry) -> Result<(), StoreError>;

    /// Writes everything in the store to `out`, as bytes that a new store can be built from, and returns the number of
    /// records in them. Reads and writes go on meanwhile. A store that has nothing to build a new one from answers `Conflict`.
    ///
    /// Blocking, for as long as `out` takes to take it all, in many small pieces and with a flush behind them. After an error,
    /// what was written is no backup and cannot be taken for one.
    ///
    /// - `backup_is_one_moment`: a store built from it holds what was there at one moment of the call, ledgers with their
    ///   meters: all that was acknowledged before the call, and nothing by halves.
    /// - `backup_settles_no_check`: a check that is settled in it is concluded in it.
    /// - `backup_ends_with_its_reader`: if `out` fails, the call ends with `NotApplied`, and the store goes on.
    fn backup(&self, out: &mut dyn io::Write) -> Result<u64, StoreError>;

    /// What the store says of itself.
    fn info(&self) -> StoreInfo;

    /// Whether it takes writes.
    fn health(&self) -> Health;
}
