//! Jobs of snapshots in a simulated store: interrupted at any slice, paused by caps, and finalized.

use crate::billing::world::{START, client, context, key};
use fastrand::Rng;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use voight_domain::metering::{AddressFacts, CallerFacts, LedgerRow, Limit, MeterRules, MeterState, Opening, RowKind};
use voight_domain::registry::{ClientStatus, Context, KeyWithClient};
use voight_domain::secrets::IdempotencyDigest;
use voight_domain::snapshot::{
    ListedAddress, SliceRequest, Snapshot, SnapshotPause, SnapshotRow, SnapshotSource, SnapshotState,
    SnapshotStateError, SnapshotStep, TokenAmount,
};
use voight_domain::verdict::{Layer, Nats, Verdict};
use voight_domain::vocabulary::{ClientId, Environment, EoaAddress, KeyId, SnapshotId, Timestamp};
use voight_support::tier;

const SLICE: usize = 7;

/// Everything that a store keeps for one job.
struct SimulatedStore {
    holder: KeyWithClient,
    context: Context,
    listed: BTreeMap<EoaAddress, Option<TokenAmount>>,
    verdicts: BTreeMap<EoaAddress, Verdict>,
    snapshot: Snapshot,
    rows: BTreeMap<EoaAddress, SnapshotRow>,
    meter: MeterState,
    ledger: Vec<(LedgerRow, Opening)>,
    rules: MeterRules,
    now: Timestamp,
    slices: u8,
}

/// Change of the caller or of its context.
type Change = fn(&mut SimulatedStore);

fn address(number: u16) -> EoaAddress {
    let mut bytes = [0; 20];
    bytes[18..].copy_from_slice(&number.to_be_bytes());
    EoaAddress::from_bytes(bytes)
}

fn flagged() -> Verdict {
    let layer = Layer { flagged: true, bot: Nats::from_milli(5_000), conclusive_checks: 1, ..Layer::default() };
    Verdict { unverified: layer, ..Verdict::default() }
}

fn holder() -> KeyWithClient {
    let client = client();
    KeyWithClient { key: key(client.id, 1), client }
}

impl SimulatedStore {
    fn new(random: &mut Rng) -> Self {
        let holder = holder();
        let context = context(&holder.key, 1);
        let amount = |random: &mut Rng| random.bool().then(|| TokenAmount::from_base_units(random.u128(..)));
        let listed: BTreeMap<_, _> =
            (0..random.usize(..60)).map(|_| (address(random.u16(..100)), amount(random))).collect();
        let snapshot = Snapshot {
            id: SnapshotId::new(START, [1; 10]),
            client: holder.client.id,
            environment: Environment::Live,
            context: context.id.clone(),
            key: holder.key.id,
            row_digest: IdempotencyDigest([9; 16]),
            source: SnapshotSource::Upload,
            state: SnapshotState::Uploading,
            units: 0,
            cursor: None,
            changed: 0,
            created_at: START,
            drafted_at: None,
            finalized_at: None,
        };
        Self {
            meter: MeterState::new(holder.ledger()),
            verdicts: (0..100).step_by(3).map(|number| (address(number), flagged())).collect(),
            rules: MeterRules { allowance: random.u64(..20), ..MeterRules::default() },
            holder,
            context,
            listed,
            snapshot,
            rows: BTreeMap::new(),
            ledger: Vec::new(),
            now: START,
            slices: 0,
        }
    }

    fn facts(&self, address: EoaAddress) -> AddressFacts<'_> {
        AddressFacts { verdict: self.verdicts.get(&address), tombstone: None }
    }

    fn is_after_cursor(&self, address: EoaAddress) -> bool {
        self.snapshot.cursor.is_none_or(|cursor| cursor < address)
    }

    /// Computes the next slice of the current state.
    fn step(&mut self) -> SnapshotStep {
        self.slices = self.slices.wrapping_add(1);
        if self.snapshot.state != SnapshotState::Running {
            let rows = self.rows.values().filter(|row| self.is_after_cursor(row.address)).take(SLICE);
            let rows: Vec<_> = rows.map(|row| (*row, self.facts(row.address))).collect();
            return self.snapshot.read_again(&self.context, &rows, self.now);
        }
        let listed = self.listed.iter().filter(|(address, _)| self.is_after_cursor(**address)).take(SLICE);
        let listed: Vec<_> = listed
            .map(|(address, amount)| ListedAddress { address: *address, amount: *amount, facts: self.facts(*address) })
            .collect();
        let caller = CallerFacts {
            key: Some(&self.holder),
            context: Some(&self.context),
            meter: Some(&self.meter),
            idempotency_record: None,
        };
        let request = SliceRequest { nonce_seed: [self.slices; 32], rules: self.rules.clone() };
        self.snapshot.look_up(&request, caller, &listed, self.now)
    }

    fn apply(&mut self, step: SnapshotStep) {
        self.snapshot = step.snapshot;
        self.rows.extend(step.rows.into_iter().map(|row| (row.address, row)));
        for write in step.writes {
            self.meter = write.meter;
            self.ledger.extend(write.rows.into_iter().map(|row| (row, write.opening)));
        }
    }

    /// Runs slices until the snapshot has this state. Slices are sometimes lost before they are written, as by a kill.
    fn run_until(&mut self, state: SnapshotState, random: &mut Rng) {
        for _ in 0..1_000 {
            if self.snapshot.state == state {
                return;
            }
            let step = self.step();
            if let Some(SnapshotPause::CapReached { resets_at }) = step.pause {
                assert!(resets_at > self.now);
                self.now = resets_at;
            }
            if random.u8(..4) > 0 {
                self.apply(step);
            }
            self.now = self.now.saturating_add(Duration::from_secs(random.u64(..100)));
        }
        panic!("the job does not end");
    }

    /// Returns the addresses of the ledger rows of the snapshot, in order.
    fn billed(&self) -> Vec<EoaAddress> {
        let is_own = |row: &LedgerRow| matches!(row.kind, RowKind::Lookup(lookup) if lookup.idempotency == Some(self.snapshot.row_digest));
        self.ledger.iter().filter(|(row, _)| is_own(row)).map(|(_, opening)| opening.address).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(tier::volume(500, 10_000)))]

    #[test]
    fn an_interrupted_job_bills_each_address_once(seed: u64) {
        let mut random = Rng::with_seed(seed);
        let mut store = SimulatedStore::new(&mut random);
        if random.bool() {
            let cap = Limit::Lookups(Some(random.u64(1..40)));
            store.meter = store.meter.with_limit(cap, &store.rules.price_book).unwrap();
        }
        store.snapshot = store.snapshot.upload_completed().unwrap();
        store.run_until(SnapshotState::Draft, &mut random);
        let listed: Vec<_> = store.listed.keys().copied().collect();
        prop_assert_eq!(store.billed(), listed.clone());
        prop_assert_eq!(store.rows.keys().copied().collect::<Vec<_>>(), listed);
        prop_assert_eq!(store.snapshot.units, store.rows.len() as u64);
        for row in store.rows.values() {
            prop_assert_eq!(row.amount, store.listed[&row.address]);
            prop_assert_eq!(row.answer.is_bot, store.verdicts.contains_key(&row.address));
        }
        let nonces: BTreeSet<_> = store.ledger.iter().map(|(_, opening)| opening.nonce).collect();
        prop_assert!(nonces.len() >= store.rows.len(), "a nonce was used twice");

        let before = store.rows.clone();
        let appealed: Vec<_> = before.keys().filter(|_| random.u8(..5) == 0).copied().collect();
        for address in &appealed {
            if store.verdicts.remove(address).is_none() {
                store.verdicts.insert(*address, flagged());
            }
        }
        let ledger = store.ledger.len();
        store.snapshot = store.snapshot.finalize().unwrap();
        store.run_until(SnapshotState::Final, &mut random);
        prop_assert_eq!(store.ledger.len(), ledger, "finalizing was billed");
        prop_assert_eq!(store.snapshot.changed, appealed.len() as u64);
        for (address, row) in &store.rows {
            let draft = before[address];
            prop_assert_eq!(row.draft, appealed.contains(address).then_some(draft.answer));
            prop_assert_eq!(row.answer == draft.answer, !appealed.contains(address));
            prop_assert_eq!(row.amount, draft.amount);
        }
    }
}

#[test]
fn a_job_pauses_while_its_caller_is_refused() {
    let mut random = Rng::with_seed(1);
    let mut store = SimulatedStore::new(&mut random);
    store.listed = BTreeMap::from([(address(1), None)]);
    store.snapshot = store.snapshot.upload_completed().unwrap();
    let refusals: [(Change, SnapshotPause); 4] = [
        (|store| store.holder.key.revoked_at = Some(START), SnapshotPause::KeyRefused),
        (|store| store.holder.key.id = KeyId::from_bytes([2; 16]), SnapshotPause::KeyRefused),
        (|store| store.holder.client.status = ClientStatus::Suspended, SnapshotPause::ClientSuspended),
        (|store| store.context.client = ClientId::from_bytes([2; 16]), SnapshotPause::ContextRefused),
    ];
    for (refuse, expected) in refusals {
        let (holder, context) = (store.holder.clone(), store.context.clone());
        refuse(&mut store);
        let step = store.step();
        assert_eq!((step.pause, &step.snapshot), (Some(expected), &store.snapshot));
        assert_eq!((step.rows.len(), step.writes.len()), (0, 0));
        (store.holder, store.context) = (holder, context);
    }
    let step = store.step();
    assert_eq!((step.pause, step.rows.len()), (None, 1));
}

#[test]
fn states_are_left_in_order() {
    let mut random = Rng::with_seed(1);
    let mut store = SimulatedStore::new(&mut random);
    assert_eq!(store.snapshot.finalize(), Err(SnapshotStateError::NoDraft));
    store.snapshot = store.snapshot.upload_completed().unwrap();
    assert_eq!(store.snapshot.upload_completed(), Err(SnapshotStateError::NotUploading));
    assert_eq!(store.snapshot.finalize(), Err(SnapshotStateError::NoDraft));
    store.run_until(SnapshotState::Draft, &mut random);
    assert!(store.snapshot.drafted_at.is_some());
    store.snapshot = store.snapshot.finalize().unwrap();
    assert_eq!(store.snapshot.finalize().as_ref(), Ok(&store.snapshot), "a retry changes nothing");
    store.run_until(SnapshotState::Final, &mut random);
    assert!(store.snapshot.finalized_at.is_some());
    assert_eq!(store.snapshot.finalize().as_ref(), Ok(&store.snapshot));
}
