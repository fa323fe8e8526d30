//! Use cases of the service. HTTP and the command line are two callers of the same use cases.
//!
//! Each struct holds only the ports that it needs; each file is one use case or a small family.

mod acknowledge_clock;
mod admin_tokens;
mod authenticate;
mod backups;
mod billing;
mod bulk_reads;
mod bundle;
mod check_counters;
mod check_counts;
mod checks;
mod clients;
mod clusters;
mod complete_check;
mod contexts;
mod create_session;
mod deliveries;
mod endpoints;
mod erase;
mod event_tail;
mod events;
mod expiring_keys;
mod find_verdicts;
mod issue_key;
mod key_contexts;
mod labels;
mod ledger_export;
mod ledgers;
mod lookup;
mod lookup_records;
mod maintenance;
mod open_check;
mod operator;
mod ports;
mod prove_ownership;
mod read_all;
mod reason;
mod receipts;
mod recordings;
mod replay;
mod resolve;
mod rule_hits;
mod signing_keys;
mod snapshots;
mod submit_evidence;
mod usage;
mod users;
mod verdict_counters;

pub use admin_tokens::{AdminTokenService, IssuedAdminToken};
pub use authenticate::{Denied, Unauthorized};
pub use backups::NewestBackup;
pub use billing::{BillingService, RejectedQuote};
pub use bulk_reads::{BulkRead, Openings};
pub use bundle::{Policies, Services};
pub use check_counts::{CheckCountService, MAX_COUNT_DAYS};
pub use checks::{CheckError, CheckService, ProofOfWorkPolicy};
pub use clients::ServiceError;
pub use clusters::MAX_IMPORT;
pub use contexts::{Registration, RegistrationRequest};
pub use create_session::CreateVouchedSession;
pub use deliveries::{AttemptResult, DeliveryService, EncodeEvent, TestError};
pub use endpoints::{
    EndpointOwner, EndpointService, EndpointServiceError, KeyedEndpoint, NewEndpoint,
};
pub use erase::ErasureReport;
pub use event_tail::{
    EventTail, TailCursor, TailCursorError, TailError, TailEvent, TailPage, TailQuery, TailStart,
};
pub use events::{EventError, EventPage, EventQuery, EventService};
pub use find_verdicts::FoundVerdict;
pub use issue_key::{IssueKey, IssuedKey};
pub use key_contexts::{ContextAtStake, Revocation, UnreachableContext};
pub use labels::{LabelInput, LabelledAnswers, MAX_LABELS};
pub use ledger_export::LedgerExport;
pub use ledgers::{LedgerRange, LedgerService};
pub use lookup::{BatchLookupQuery, LookupQuery, LookupService};
pub use lookup_records::{LookupRecord, NameCache, RecordPage};
pub use maintenance::{JobReport, MaintenanceService};
pub use open_check::{OpenCheck, OpenedCheck};
pub use operator::{ClientUsage, Explanation, OperatorService, VerdictListItem};
pub use ports::Ports;
pub use prove_ownership::{OwnedCheck, OwnershipProof, ProveOwnership};
pub use receipts::{ReceiptService, RedeemReceipt, Redeemed};
pub use recordings::{RecordedPage, RecordedPerson};
pub use replay::{Flip, Replay, ReplayCounts, ReplayPage, ReplayService};
pub use rule_hits::{RuleHit, RuleHitCounters};
pub use snapshots::{MAX_SNAPSHOT_ADDRESSES, NewSnapshot, SnapshotError, SnapshotService};
pub use submit_evidence::SubmitEvidence;
pub use usage::{USAGE_ROWS_MAX, UsageError, UsageReport};
pub use users::{InvitedUser, SignInError, SignatureRequest, SignedIn, UserService};
pub use verdict_counters::{CheckedVerdict, VerdictCounters};

use crate::ports::{Clock, Entropy, RegistryStore};
use crate::registry::{Actor, AuditAction, AuditEntry};
use crate::secrets::Secrets;
use crate::vocabulary::Timestamp;
use std::sync::Arc;

/// Use cases of the registry: clients, keys, contexts, and the authentication of requests.
#[derive(Clone)]
pub struct RegistryService {
    store: Arc<dyn RegistryStore>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    secrets: Secrets,
    actor: Actor,
}

impl RegistryService {
    /// Creates the service with these ports.
    pub fn new(ports: &Ports) -> Self {
        let Ports {
            store,
            clock,
            entropy,
            secrets,
            ..
        } = ports.clone();
        Self {
            store,
            clock,
            entropy,
            secrets,
            actor: Actor::Operator,
        }
    }

    /// Returns a service that names `actor` in the audit entries of operators.
    #[must_use]
    pub fn acting_as(&self, actor: &Actor) -> Self {
        Self {
            actor: actor.clone(),
            ..self.clone()
        }
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
        AuditEntry {
            at: self.now(),
            actor,
            action,
            subject: subject.to_string(),
            detail: detail.into(),
        }
    }
}
