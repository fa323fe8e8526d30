//! Ports of the domain.
//!
//! The documentation of each port is its contract: the contract suite has a case for every promise, under the promise's
//! name (written in `code` style, for example `answer_is_atomic`).
//!
//! Storage ports are coarse: one call is the write transaction of one use case. It is atomic, and durable when it
//! returns. No transaction stays open between calls, so every adapter can keep the promises in its own way. The rules
//! themselves are pure functions of the domain that an adapter calls inside its transaction
//! ([`answer_lookup`](crate::metering::answer_lookup), [`conclude`](crate::check::conclude),
//! [`redeem`](crate::check::redeem)); an adapter decides nothing.
//!
//! Promises that hold for every storage call:
//!
//! - `missing_is_none`: a read of a missing record returns `Ok(None)` or an empty list, never an error.
//! - `changing_missing_entity_conflicts`: a cap or a context for a missing client, and an override in a missing
//!   context, is a `Conflict` and changes nothing. (Changes by id return `None` instead, as their own documentation
//!   says.)
//! - `acknowledged_write_survives_reopen`: every acknowledged change is still stored after the store is opened again.
//! - `retries_are_idempotent`: a caller can repeat a call that names what it creates (by an id, an idempotency key, a
//!   check, the number of a batch) after `NotApplied` and after `MaybeApplied`, whatever the outcome was; it takes
//!   effect once.
//! - `dropped_future_is_atomic`: dropping the future of a call never leaves a partial change.
//!
//! For a store that several nodes can open at the same time:
//!
//! - `acknowledged_writes_are_visible_on_all_nodes`: the next call at any node sees an acknowledged write, revoked keys
//!   and idempotency records included.
//! - `ledger_is_exact_across_nodes`: every promise "under any concurrency" holds for the calls at all nodes together.
//!
//! Promises that say `single_moment` relate several clients, or a client and the whole store. A store that is distributed
//! over several machines keeps all promises within one client, but not these: it reads its machines one after the other,
//! each at its own moment, and a copy of it is of several moments unless writes are held up meanwhile.

mod admin;
mod admin_tokens;
mod assessor;
mod billing;
mod check;
mod check_counts;
mod commit_histograms;
mod endpoints;
mod erasure;
mod error;
mod events;
mod evidence;
mod labels;
mod links;
mod lookup;
mod maintenance;
mod outbound;
mod policy_loader;
mod receipts;
mod registry;
mod replay;
mod snapshots;
mod system;
mod users;

pub use admin::{AdminStore, AuditRecord, Health, Override, StoreInfo, VerdictRecord};
pub use admin_tokens::AdminTokenStore;
pub use assessor::{
    Assessor, BatchSummary, CheckEvidence, DrawTarget, EvidenceError, JudgedCheck, Judgement,
};
pub use billing::{BillingStore, LedgerEntry};
pub use check::CheckStore;
pub use check_counts::{CheckCountStore, ContextDayCounts, DayTotal};
pub use commit_histograms::{CommitHistograms, CommitSnapshot};
pub use endpoints::{ClaimedDeliveries, EndpointOutcome, EndpointStore, NumberedDelivery};
pub use erasure::{EraseMode, Erasure, ErasureCounts, ErasureScope, ErasureStore};
pub use error::StoreError;
pub use events::{EventStore, FeedOfClient};
pub use evidence::{AppendOutcome, EvidenceStore};
pub use labels::{LabelRecord, LabelStore};
pub use links::LinkStore;
pub use lookup::LookupStore;
pub use maintenance::{
    DatabaseStatus, DiskUse, LogStatus, MaintenanceStore, ScrubPass, ScrubProgress, StoreStatus,
    TableRows,
};
pub use outbound::{
    DisabledOutbound, Outbound, OutboundError, OutboundMethod, OutboundRequest, OutboundResponse,
};
pub use policy_loader::{CandidatePolicy, InvalidPolicy, PolicyLoader};
pub use receipts::ReceiptStore;
pub use registry::{ContextFilter, RegisterOutcome, RegistryStore};
pub use replay::{ReplayStore, VerdictReplacement};
pub use snapshots::{SnapshotOutcome, SnapshotStore};
pub use system::{Clock, Entropy};
pub use users::UserStore;

macro_rules! store {
    ($($port:ident),+) => {
        /// All storage ports in one trait.
        pub trait Store: $($port +)+ {}

        impl<T: $($port +)+> Store for T {}
    };
}

store!(
    LookupStore,
    CheckStore,
    CheckCountStore,
    ReceiptStore,
    LinkStore,
    EvidenceStore,
    RegistryStore,
    BillingStore,
    AdminStore,
    AdminTokenStore,
    UserStore,
    LabelStore,
    ReplayStore,
    SnapshotStore,
    EventStore,
    EndpointStore,
    ErasureStore,
    MaintenanceStore
);
