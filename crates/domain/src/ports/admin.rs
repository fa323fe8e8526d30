//! Port of operators: verdicts, overrides, the audit log, backup and health.

use super::StoreError;
use crate::registry::{AuditEntry, AuditHead};
use crate::secrets::AddressDigest;
use crate::verdict::{Nats, OverrideTo, Verdict};
use crate::vocabulary::{ContextId, EoaAddress, Timestamp};
use async_trait::async_trait;
use std::io;

/// Verdict with the address that it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerdictRecord {
    /// The address.
    pub address: EoaAddress,
    /// The verdict.
    pub verdict: Verdict,
}

/// Operator's decision on a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Override {
    /// The context.
    pub context: ContextId,
    /// The address.
    pub address: EoaAddress,
    /// The digest of the address in that context, under which a tombstone is stored.
    pub digest: AddressDigest,
    /// The decision.
    pub verdict: OverrideTo,
    /// The flag threshold of the context, in nats.
    pub tau: Nats,
    /// The operator's reason, as free text.
    pub reason: String,
}

/// Audit entry with its position in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRecord {
    /// Sequence number, from 1, without gaps.
    pub seq: u64,
    /// The entry.
    pub entry: AuditEntry,
}

/// Description of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreInfo {
    /// The kind of store, for example `redb`.
    pub engine: String,
    /// Identity of the store: a ULID, assigned at creation.
    pub identity: String,
    /// The version of the record format.
    pub format: u32,
    /// The time of creation.
    pub created_at: Timestamp,
}

/// Ability of a store to accept writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Health {
    /// The store accepts writes.
    Ready,
    /// No space is left: writes fail, reads succeed.
    OutOfSpace,
    /// The store accepts writes of some clients only; the machines of the others are unreachable.
    Degraded {
        /// Share of the clients that cannot be served, in percent, rounded up.
        percent: u8,
        /// Unreachable machines, each with its error.
        why: String,
    },
    /// The store cannot be reached, for this reason. Calls fail while the adapter keeps trying to reconnect.
    Unreachable(String),
    /// The store has stopped permanently, for this reason; the process should exit with an error.
    Failed(String),
}

/// Reads and decisions of operators.
#[async_trait]
pub trait AdminStore: Send + Sync {
    /// Returns at most `limit` verdicts of a context after `after`, in the order of their addresses.
    ///
    /// - `verdicts_are_paged_in_order`: the pages together hold every verdict of the context once, and no verdict of
    ///   another context.
    async fn verdicts(
        &self,
        context: &ContextId,
        after: Option<EoaAddress>,
        limit: usize,
    ) -> Result<Vec<VerdictRecord>, StoreError>;

    /// Opens a new epoch of a verdict ([`Verdict::overridden`]) at the adapter's own clock.
    ///
    /// The epoch, its event and its audit entry are written in one transaction.
    ///
    /// - `override_opens_an_epoch`: the epoch rises by one and the answer follows the operator's decision.
    /// - `override_lifts_the_tombstone`: the override also removes the tombstone of an erased address.
    async fn override_verdict(
        &self,
        change: Override,
        audit: AuditEntry,
    ) -> Result<Verdict, StoreError>;

    /// Returns at most `limit` audit records after number `after`.
    ///
    /// - `audit_is_gapless`: numbers run from 1 without gaps.
    async fn audit(&self, after: u64, limit: usize) -> Result<Vec<AuditRecord>, StoreError>;

    /// Returns the head of the audit log; [`AuditHead::genesis`] while the log is empty.
    ///
    /// - `audit_is_chained`: at any moment the head is the result of applying [`AuditHead::extended_by`] to every entry
    ///   in order.
    async fn audit_head(&self) -> Result<AuditHead, StoreError>;

    /// Returns the number of the signing key in use; 0 until the first rotation.
    async fn signing_key(&self) -> Result<u32, StoreError>;

    /// Activates the signing key with this number and appends the audit entry, in one transaction. Stores hold no
    /// secrets, so only the number is stored.
    ///
    /// - `signing_keys_count_up`: only the successor of the number in use is accepted; activating the number in use
    ///   again changes nothing, and any other number is a `Conflict`.
    async fn activate_signing_key(&self, number: u32, audit: AuditEntry) -> Result<(), StoreError>;

    /// Writes a backup of the whole store to `out` and returns the number of records in it.
    ///
    /// A new store can be built from these bytes. Reads and writes continue meanwhile. A store that does not support
    /// backups returns `Conflict`. The call blocks until `out` has accepted everything; it writes many small chunks and
    /// flushes at the end. After an error the written bytes are not a valid backup and are rejected as one.
    ///
    /// - `backup_is_one_moment`: a store built from the backup holds the state at one moment of the call, ledgers with
    ///   their meters: every change acknowledged before the call, and no partial change.
    /// - `backup_settles_no_check`: a check that the backup marks as judged is concluded in the backup.
    /// - `backup_ends_with_its_reader`: if `out` fails, the call ends with `NotApplied`, and the store keeps working.
    fn backup(&self, out: &mut dyn io::Write) -> Result<u64, StoreError>;

    /// Returns the description of the store.
    fn info(&self) -> StoreInfo;

    /// Returns the ability of the store to accept writes.
    fn health(&self) -> Health;
}
