//! Tests that the index of webhook endpoints follows their records.

use pollster::block_on;
use std::sync::Arc;
use std::time::Duration;
use voight_contract::generate::{audit, audited};
use voight_domain::events::EventTypeSet;
use voight_domain::ports::{ClaimedDeliveries, EndpointStore};
use voight_domain::registry::AuditAction;
use voight_domain::vocabulary::{ClientId, EndpointId, Environment};
use voight_domain::webhooks::{
    ATTEMPT_LEASE, AttemptOutcome, ConcludedAttempt, DeliveryConclusion, DeliveryLane,
    DeliveryRecord, DisabledReason, DueAttempt, Endpoint, EndpointChange, EndpointName,
    EndpointRecord, EndpointState, EventFilter, MAX_WAIT, SignatureKind,
};
use voight_embedded::{DatabaseKind, EmbeddedStore, StoreParts, Verifier};
use voight_engine::Engine;
use voight_engine::testing::MapEngine;
use voight_support::embedded::SampleStore;
use voight_support::{ManualClock, NOW};

/// Store with a clock, and with a second endpoint of the first client.
struct TestStore {
    store: EmbeddedStore<MapEngine>,
    engine: MapEngine,
    clock: Arc<ManualClock>,
    name: EndpointName,
}

impl TestStore {
    fn new(types: EventTypeSet) -> Self {
        let sample = SampleStore::filled();
        let clock = Arc::new(ManualClock::new(NOW));
        let parts = StoreParts {
            main: sample.main.clone(),
            evidence: sample.evidence.clone(),
            identity: sample.identity,
            clock: clock.clone(),
            evidence_max_bytes: 1 << 20,
        };
        let store = EmbeddedStore::start(parts).unwrap();
        let endpoint = Endpoint {
            id: EndpointId::from_bytes([9; 16]),
            client: ClientId::from_bytes([1; 16]),
            environment: Environment::Live,
            url: "https://quest.example/other".to_owned(),
            filter: EventFilter {
                types,
                ..EventFilter::default()
            },
            signature_kind: SignatureKind::Ed25519,
            generation: 0,
            rotated_at: None,
            created_at: NOW,
            state: EndpointState::Active,
        };
        let name = endpoint.name();
        let entry = audit(AuditAction::WebhookCreated, &name.id, NOW);
        block_on(store.create_endpoint(endpoint, entry)).unwrap();
        Self {
            store,
            engine: sample.main,
            clock,
            name,
        }
    }

    fn record(&self) -> EndpointRecord {
        block_on(self.store.endpoint(self.name)).unwrap().unwrap()
    }

    fn change(&self, change: EndpointChange) {
        let changes = vec![audited(change, self.name.id, NOW)];
        block_on(self.store.change_endpoint(self.name, changes))
            .unwrap()
            .unwrap()
            .unwrap();
    }

    fn claim(&self, limit: usize) -> ClaimedDeliveries {
        block_on(self.store.claim_deliveries(self.name, limit))
            .unwrap()
            .unwrap()
    }

    fn conclude(&self, attempt: DueAttempt, status: u16) {
        let outcome = AttemptOutcome::Answered {
            status,
            retry_after: None,
        };
        let duration = Duration::from_millis(80);
        let record = DeliveryRecord::new(attempt, NOW, duration, outcome, b"");
        let conclusion = DeliveryConclusion {
            lease: self.record().leased_until,
            attempts: vec![ConcludedAttempt { record, random: 0 }],
            postponed: Vec::new(),
        };
        block_on(self.store.conclude_deliveries(self.name, conclusion))
            .unwrap()
            .unwrap();
    }

    /// Returns the lanes in which the endpoint is due, of a store without damage.
    fn due_lanes(&self) -> Vec<DeliveryLane> {
        let mut verifier = Verifier::new(DatabaseKind::Main);
        while verifier
            .slice(&self.engine.snapshot().unwrap(), 100)
            .unwrap()
        {}
        assert_eq!(verifier.report().damage, []);
        let is_due = |lane: &DeliveryLane| {
            let due_endpoints = block_on(self.store.due_endpoints(*lane, 10)).unwrap();
            due_endpoints.contains(&self.name)
        };
        DeliveryLane::ALL.into_iter().filter(is_due).collect()
    }
}

#[test]
fn endpoint_index_follows_every_change() {
    let test = TestStore::new(EventTypeSet::ALL);
    assert_eq!(test.due_lanes(), []);
    test.change(EndpointChange::ReplayFrom(1));
    assert_eq!(test.due_lanes(), [DeliveryLane::Healthy]);
    let claim = test.claim(2);
    assert_eq!(test.due_lanes(), []);
    test.clock.advance(ATTEMPT_LEASE);
    assert_eq!(test.due_lanes(), [DeliveryLane::Healthy]);
    test.conclude(claim.attempts[0].0, 500);
    assert_eq!(test.due_lanes(), [DeliveryLane::Failing]);
    test.change(EndpointChange::Pause);
    assert_eq!(test.due_lanes(), []);
    test.change(EndpointChange::Resume);
    assert_eq!(test.due_lanes(), [DeliveryLane::Healthy]);
    test.conclude(claim.attempts[1].0, 410);
    assert_eq!(test.due_lanes(), []);
    let state = EndpointState::Disabled {
        reason: DisabledReason::Gone,
        at: NOW.saturating_add(ATTEMPT_LEASE),
    };
    assert_eq!(test.record().endpoint.state, state);
    let purge = test
        .store
        .purge_deliveries(NOW.saturating_add(ATTEMPT_LEASE), 100);
    assert_eq!(block_on(purge), Ok(6), "with those of the sample");
    assert_eq!(test.record().log.purged, 2);
    test.change(EndpointChange::Resume);
    assert_eq!(test.due_lanes(), [DeliveryLane::Healthy]);
    let entry = audit(AuditAction::WebhookDeleted, &test.name.id, NOW);
    let deletion = test.store.delete_endpoint(test.name, entry);
    assert_eq!(block_on(deletion), Ok(true));
    assert_eq!(test.due_lanes(), []);
}

#[test]
fn clock_set_back_makes_endpoints_due() {
    let test = TestStore::new(EventTypeSet::ALL);
    test.change(EndpointChange::ReplayFrom(1));
    test.claim(1);
    assert_eq!(test.due_lanes(), []);
    let wrong_clock = NOW.saturating_sub(MAX_WAIT);
    test.clock.set(wrong_clock.saturating_add(ATTEMPT_LEASE));
    assert_eq!(test.due_lanes(), [], "a wait that exists");
    test.clock.set(wrong_clock);
    assert_eq!(test.due_lanes(), [DeliveryLane::Healthy]);
}

#[test]
fn claim_reads_past_rejected_events() {
    let test = TestStore::new(EventTypeSet::from_bits(0));
    test.change(EndpointChange::ReplayFrom(1));
    assert!(test.record().delivery.cursor > 4, "too few events");
    assert_eq!(test.claim(1).attempts, []);
    assert_eq!(test.record().delivery.replay, None);
    assert_eq!(test.due_lanes(), []);
}
