//! The use cases: what can be asked of the service. HTTP and the command line are two callers of the same ones.
//!
//! Each struct holds only the ports that it needs; each file is one use case or a small family.

mod accept_time;
mod admin_tokens;
mod authenticate;
mod billing;
mod bind_check;
mod bulk_reads;
mod checks;
mod clients;
mod clusters;
mod complete_check;
mod contexts;
mod erase;
mod issue_key;
mod key_contexts;
mod labels;
mod ledgers;
mod look_up;
mod lookup_records;
mod open_check;
mod operator;
mod reason;
mod receipts;
mod recordings;
mod replay;
mod resolve;
mod sightings;
mod signing_keys;
mod submit_evidence;
mod usage;
mod vouch;

pub use admin_tokens::{AdminTokens, IssuedAdminToken};
pub use authenticate::{Denied, Unauthorized};
pub use billing::Billing;
pub use bind_check::{BindCheck, BindingProof, BoundCheck};
pub use bulk_reads::BulkRead;
pub use checks::{CheckError, Checks, WorkPolicy};
pub use clients::RegistrarError;
pub use clusters::CLUSTERED_MAX;
pub use contexts::{Registration, RegistrationRequest};
pub use erase::ErasureReport;
pub use issue_key::{IssueKey, IssuedKey};
pub use key_contexts::{ContextAtStake, Revocation, UnreachableContext};
pub use labels::{GivenLabel, LABELS_MAX, LabelledAnswers};
pub use ledgers::{LedgerOf, Ledgers, Stretch};
pub use look_up::{LookUp, Lookups};
pub use lookup_records::{LookupRecord, Names, RecordPage};
pub use open_check::{OpenCheck, OpenedCheck};
pub use operator::{Explanation, KnownVerdict, Operator, UsageLine};
pub use receipts::{Receipts, RedeemReceipt, Redeemed};
pub use recordings::{Recorded, RecordedPage};
pub use replay::{Flip, Replay, ReplayCounts, ReplayPage, Replays};
pub use sightings::{Sighting, Sightings};
pub use submit_evidence::SubmitEvidence;
pub use usage::{USAGE_ROWS_MAX, UsageError, UsageReport};
pub use vouch::Vouch;

use crate::ports::{Clock, Entropy, RegistryStore};
use crate::registry::{Actor, AuditAction, AuditEntry};
use crate::secrets::Secrets;
use crate::vocabulary::Timestamp;
use std::sync::Arc;

/// Keeps the registry: clients, keys, contexts, and who a request comes from.
#[derive(Clone)]
pub struct Registrar {
    store: Arc<dyn RegistryStore>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    secrets: Secrets,
    actor: Actor,
}

impl Registrar {
    /// A registrar over these ports.
    pub fn new(
        store: Arc<dyn RegistryStore>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        secrets: Secrets,
    ) -> Self {
        Self { store, clock, entropy, secrets, actor: Actor::Operator }
    }

    /// The same, with `actor` in the audit entries of operators.
    #[must_use]
    pub fn acting_as(&self, actor: &Actor) -> Self {
        Self { actor: actor.clone(), ..self.clone() }
    }

    /// The registry's port, for plain reads.
    pub fn store(&self) -> &dyn RegistryStore {
        self.store.as_ref()
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn audit(
        &self,
        actor: Actor,
        action: AuditAction,
        subject: &dyn std::fmt::Display,
        detail: impl Into<String>,
    ) -> AuditEntry {
        AuditEntry { at: self.now(), actor, action, subject: subject.to_string(), detail: detail.into() }
    }
}
