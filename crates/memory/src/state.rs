//! State of the store, and the lock around it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use ulid::Ulid;
use voight_domain::billing::PriceBook;
use voight_domain::check::{CheckCounts, Concluded, InputDigest, SiteCounts};
use voight_domain::events::{ClientEvent, EventFeed};
use voight_domain::invoicing::{Account, Adjustment, Invoice};
use voight_domain::linkage::{Cluster, ClusterKey, FingerprintIndex};
use voight_domain::metering::{Alert, Day, EndedPeriod, IdempotencyRecord, LedgerId, MeterState};
use voight_domain::ports::{Clock, LedgerEntry, StoreError, StoreInfo};
use voight_domain::registry::{AdminToken, AuditEntry, Client, Context, Key, KeyWithClient, User};
use voight_domain::secrets::{AddressDigest, IdempotencyDigest, KeyDigest};
use voight_domain::snapshot::{Snapshot, SnapshotSlice};
use voight_domain::verdict::{Event, Label, Tombstone, Verdict};
use voight_domain::vocabulary::{
    AdminTokenId, CheckId, ClientId, ContextId, EoaAddress, KeyId, SnapshotId, UserId,
};
use voight_domain::webhooks::{DeliveryRecord, EndpointName, EndpointRecord};

use crate::stored_evidence::StoredEvidence;

/// Storage ports on ordered maps; see the documentation of the crate.
pub struct MemoryStore {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) evidence_max_bytes: u64,
    pub(crate) info: StoreInfo,
    state: Mutex<State>,
}

impl MemoryStore {
    /// Creates an empty store that reads the time from `clock`. It holds at most `evidence_max_bytes` of evidence
    /// bodies.
    pub fn new(clock: Arc<dyn Clock>, evidence_max_bytes: u64) -> Self {
        let created_at = clock.now();
        // A memory store is never confused with that of another process, so the time suffices as its identity.
        let identity = Ulid::from_parts(created_at.as_millis().max(0).cast_unsigned(), 0);
        let info = StoreInfo {
            engine: "memory".to_owned(),
            identity: identity.to_string().to_ascii_lowercase(),
            format: 1,
            created_at,
        };
        Self {
            clock,
            evidence_max_bytes,
            info,
            state: Mutex::default(),
        }
    }

    /// Locks the state.
    ///
    /// # Errors
    ///
    /// [`StoreError::Fatal`] once a call has panicked under the lock.
    pub(crate) fn state(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        self.state.lock().map_err(|_| {
            StoreError::Fatal("a call panicked half-way; start the process again".to_owned())
        })
    }

    /// Returns `true` if a call has panicked under the lock.
    pub(crate) fn is_poisoned(&self) -> bool {
        self.state.is_poisoned()
    }
}

/// Key of a verdict: a context and an address.
pub(crate) type VerdictKey = (ContextId, EoaAddress);

/// All stored data.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) clients: BTreeMap<ClientId, Client>,
    pub(crate) keys: BTreeMap<KeyId, Key>,
    pub(crate) contexts: BTreeMap<ContextId, Context>,
    pub(crate) idempotency_records: BTreeMap<(ClientId, IdempotencyDigest), IdempotencyRecord>,
    pub(crate) meters: BTreeMap<LedgerId, MeterState>,
    pub(crate) ledgers: BTreeMap<LedgerId, BTreeMap<u64, LedgerEntry>>,
    pub(crate) ended: BTreeMap<LedgerId, BTreeMap<u64, EndedPeriod>>,
    pub(crate) alerts: BTreeMap<LedgerId, Vec<Alert>>,
    pub(crate) books: Vec<Arc<PriceBook>>,
    pub(crate) invoices: BTreeMap<ClientId, BTreeMap<u32, Invoice>>,
    pub(crate) adjustments: BTreeMap<ClientId, BTreeMap<u32, Adjustment>>,
    pub(crate) accounts: BTreeMap<ClientId, Account>,
    pub(crate) concluded: BTreeMap<CheckId, Concluded>,
    /// First check that presented each input.
    pub(crate) inputs: BTreeMap<(ContextId, InputDigest), CheckId>,
    pub(crate) verdicts: BTreeMap<VerdictKey, Verdict>,
    pub(crate) events: BTreeMap<VerdictKey, Vec<Event>>,
    pub(crate) labels: BTreeMap<VerdictKey, Label>,
    /// Tombstones of erased addresses.
    pub(crate) tombstones: BTreeMap<(ContextId, AddressDigest), Tombstone>,
    /// Movement fingerprint index of each context.
    pub(crate) traces: BTreeMap<ContextId, FingerprintIndex>,
    pub(crate) clusters: BTreeMap<(ContextId, ClusterKey), Cluster>,
    /// Clusters that operators assigned to addresses.
    pub(crate) assigned: BTreeMap<(ContextId, AddressDigest), ClusterKey>,
    pub(crate) evidence: BTreeMap<CheckId, StoredEvidence>,
    pub(crate) snapshots: BTreeMap<(ClientId, SnapshotId), Snapshot>,
    pub(crate) snapshot_slices: BTreeMap<(ClientId, SnapshotId, u32), SnapshotSlice>,
    pub(crate) client_events: BTreeMap<ClientId, BTreeMap<u64, ClientEvent>>,
    pub(crate) event_feeds: BTreeMap<ClientId, EventFeed>,
    pub(crate) endpoints: BTreeMap<EndpointName, EndpointRecord>,
    /// Delivery log of each endpoint.
    pub(crate) deliveries: BTreeMap<EndpointName, BTreeMap<u64, DeliveryRecord>>,
    pub(crate) check_counts: BTreeMap<(Day, ContextId), SiteCounts>,
    pub(crate) check_totals: BTreeMap<Day, CheckCounts>,
    pub(crate) admin_tokens: BTreeMap<AdminTokenId, AdminToken>,
    pub(crate) users: BTreeMap<UserId, User>,
    /// Number of the signing key in use.
    pub(crate) signing_key: u32,
    /// Audit log. The entry at index `n` has the number `n + 1`.
    pub(crate) audit: Vec<AuditEntry>,
}

impl State {
    /// Returns the API key that has a secret with this digest, with its client.
    pub(crate) fn key_by_digest(&self, digest: KeyDigest) -> Option<KeyWithClient> {
        let key = self
            .keys
            .values()
            .find(|key| key.secrets.iter().any(|secret| secret.digest == digest))?;
        self.find_key(key.id)
    }

    /// Returns the API key with this id, with its client.
    pub(crate) fn find_key(&self, id: KeyId) -> Option<KeyWithClient> {
        let key = self.keys.get(&id)?;
        Some(KeyWithClient {
            key: key.clone(),
            client: self.clients.get(&key.client)?.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::pin::pin;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::task::{Context, Poll, Waker};
    use voight_domain::Timestamp;
    use voight_domain::ports::{AdminStore, Health, Override};
    use voight_domain::registry::{Actor, AuditAction};
    use voight_domain::verdict::{Nats, OverrideTo};

    /// Clock that panics while a call holds the lock.
    struct Broken(AtomicBool);

    impl Clock for Broken {
        fn now(&self) -> Timestamp {
            assert!(!self.0.load(Ordering::SeqCst), "the clock is broken");
            Timestamp::default()
        }
    }

    fn call(store: &MemoryStore) -> Poll<Result<Verdict, StoreError>> {
        let context = "quest.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap();
        let address = EoaAddress::from_bytes([1; 20]);
        let reason = String::new();
        let change = Override {
            context,
            address,
            digest: AddressDigest([2; 16]),
            verdict: OverrideTo::Bot,
            tau: Nats::ZERO,
            reason: reason.clone(),
        };
        let at = Timestamp::default();
        let action = AuditAction::VerdictOverridden;
        let entry = AuditEntry {
            at,
            actor: Actor::Operator,
            action,
            subject: reason.clone(),
            detail: reason,
        };
        pin!(store.override_verdict(change, entry)).poll(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn store_stops_after_a_panic() {
        let clock = Arc::new(Broken(AtomicBool::new(false)));
        let store = MemoryStore::new(Arc::clone(&clock) as Arc<dyn Clock>, 0);
        assert!(matches!(
            call(&store),
            Poll::Ready(Err(StoreError::Conflict(_)))
        ));
        assert_eq!(store.health(), Health::Ready);
        clock.0.store(true, Ordering::SeqCst);
        catch_unwind(AssertUnwindSafe(|| call(&store))).unwrap_err();
        assert!(matches!(
            call(&store),
            Poll::Ready(Err(StoreError::Fatal(_)))
        ));
        assert!(matches!(store.health(), Health::Failed(_)));
    }
}
