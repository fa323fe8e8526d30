//! What the outside must provide. The documentation of each port is its contract: the contract suite has a case for
//! every promise, under the promise's name (written in `code` style, for example `answer_is_atomic`).
//!
//! Storage ports are coarse: one call is one use case's step, atomic, and durable when it returns. There is no open
//! transaction to hold, so every adapter can keep the promise in its own way. The rules themselves are pure functions of
//! the domain which an adapter calls inside its step ([`answer_lookup`](crate::metering::answer_lookup),
//! [`conclude`](crate::check::conclude), [`redeem`](crate::check::redeem)); an adapter decides nothing.
//!
//! Promises that hold for every storage call:
//!
//! - `missing_is_none`: what is not there is `Ok(None)` or an empty list, never an error.
//! - `changing_missing_entity_conflicts`: a cap for, a context of, or an override in what does not exist is a `Conflict` and
//!   changes nothing. (Changes that are asked for by id answer `None` instead, as their own documentation says.)
//! - `acknowledged_write_survives_reopen`: what a call has acknowledged is there after the store is opened again.
//! - `retries_are_idempotent`: a call that names what it makes (by an id, a claim, a check, the number of a batch) can be made
//!   again after `NotApplied` and after `MaybeApplied`, whatever had become of it; in the end it was made once.
//! - `dropped_future_is_atomic`: dropping the future of a call never leaves half a change behind.
//!
//! Where a store may be opened by several nodes at the same time:
//!
//! - `acknowledged_writes_are_visible_on_all_nodes`: the next call at any node sees it, keys that were revoked and claims included.
//! - `ledger_is_exact_across_nodes`: what is promised "under any concurrency" is so over calls at all nodes together.
//!
//! Promises that say `single_moment` are about what several clients, or a client and the whole store, have in common. A store that
//! is distributed over several machines keeps all promises within one client, and not these: its machines are read one after
//! the other, each at a moment of its own, and a copy of it is of several moments unless writes are held up meanwhile.

mod admin;
mod admin_tokens;
mod assessor;
mod billing;
mod candidates;
mod check;
mod erasure;
mod error;
mod evidence;
mod labels;
mod links;
mod lookup;
mod receipts;
mod registry;
mod replay;
mod system;
mod upkeep;

pub use admin::{AdminStore, AuditRecord, Health, Override, StoreInfo, VerdictRecord};
pub use admin_tokens::AdminTokenStore;
pub use assessor::{Assessor, BatchSummary, CheckEvidence, EvidenceError, Judgement};
pub use billing::{BillingStore, LedgerEntry};
pub use candidates::{CandidatePolicy, InvalidPolicy, PolicyLoader};
pub use check::CheckStore;
pub use erasure::{Erasure, ErasureCounts, ErasureScope, ErasureStore};
pub use error::StoreError;
pub use evidence::{AppendOutcome, EvidenceStore};
pub use labels::{LabelRecord, LabelStore};
pub use links::LinkStore;
pub use lookup::LookupStore;
pub use receipts::ReceiptStore;
pub use registry::{ContextFilter, RegisterOutcome, RegistryStore};
pub use replay::{ReplayStore, VerdictReplacement};
pub use system::{Clock, Entropy};
pub use upkeep::{DiskUse, MaintenanceStore, ScrubPass, ScrubProgress, StoreStatus, TableRows};

/// Every storage port together, for wiring.
pub trait Store:
    LookupStore
    + CheckStore
    + ReceiptStore
    + LinkStore
    + EvidenceStore
    + RegistryStore
    + BillingStore
    + AdminStore
    + AdminTokenStore
    + LabelStore
    + ReplayStore
    + ErasureStore
    + MaintenanceStore
{
}

impl<T> Store for T where
    T: LookupStore
        + CheckStore
        + ReceiptStore
        + LinkStore
        + EvidenceStore
        + RegistryStore
        + BillingStore
        + AdminStore
        + AdminTokenStore
        + LabelStore
        + ReplayStore
        + ErasureStore
        + MaintenanceStore
{
}
