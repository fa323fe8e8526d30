//! Jobs of snapshots in a simulated store: interrupted at any slice, paused by caps, and finalized.

use crate::billing::world::{START, client, context, key};
use fastrand::Rng;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use voight_domain::metering::{
    AddressFacts, CallerFacts, LedgerRow, Limit, MeterRules, MeterState, Opening, RowKind,
};
use voight_domain::registry::{ClientStatus, Context, KeyWithClient};
use voight_domain::secrets::{DigestKey, IdempotencyDigest};
use voight_domain::snapshot::{
    ListedAddress, MAX_SNAPSHOTS, RewardRule, SliceInput, Snapshot, SnapshotChange,
    SnapshotCreation, SnapshotFacts, SnapshotPause, SnapshotProgress, SnapshotRow, SnapshotSlice,
    SnapshotSource, SnapshotState, SnapshotStateError, SnapshotStep, TokenAmount,
};
use voight_domain::verdict::{Answer, Detail, Layer, Nats, Status, Verdict};
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
    slices: Vec<SnapshotSlice>,
    meter: MeterState,
    ledger: Vec<(LedgerRow, Opening)>,
    rules: MeterRules,
    now: Timestamp,
    steps: u8,
}

/// Change of the caller or of its context.
type Change = fn(&mut SimulatedStore);

fn address(number: u16) -> EoaAddress {
    let mut bytes = [0; 20];
    bytes[18..].copy_from_slice(&number.to_be_bytes());
    EoaAddress::from_bytes(bytes)
}

fn flagged() -> Verdict {
    let layer = Layer {
        flagged: true,
        bot: Nats::from_milli(5_000),
        conclusive_checks: 1,
        ..Layer::default()
    };
    Verdict {
        unverified: layer,
        ..Verdict::default()
    }
}

fn holder() -> KeyWithClient {
    let client = client();
    KeyWithClient {
        key: key(client.id, 1),
        client,
    }
}

impl SimulatedStore {
    fn new(random: &mut Rng) -> Self {
        let holder = holder();
        let context = context(&holder.key, 1);
        let amount = |random: &mut Rng| {
            random
                .bool()
                .then(|| TokenAmount::from_base_units(random.u128(..)))
        };
        let listed_amounts: BTreeMap<_, _> = (0..random.usize(..60))
            .map(|_| (address(random.u16(..100)), amount(random)))
            .collect();
        let snapshot = Snapshot {
            id: SnapshotId::new(START, [1; 10]),
            client: holder.client.id,
            environment: Environment::Live,
            context: context.id.clone(),
            key: holder.key.id,
            row_digest: IdempotencyDigest([9; 16]),
            source: SnapshotSource::Upload,
            rewards: RewardRule::default(),
            created_at: START,
            progress: SnapshotProgress::BEGINNING,
        };
        Self {
            meter: MeterState::new(holder.ledger()),
            verdicts: (0..100)
                .step_by(3)
                .map(|number| (address(number), flagged()))
                .collect(),
            rules: MeterRules {
                allowance: random.u64(..20),
                ..MeterRules::default()
            },
            holder,
            context,
            listed: listed_amounts,
            snapshot,
            slices: Vec::new(),
            ledger: Vec::new(),
            now: START,
            steps: 0,
        }
    }

    fn facts(&self, address: EoaAddress) -> AddressFacts<'_> {
        AddressFacts {
            verdict: self.verdicts.get(&address),
            tombstone: None,
        }
    }

    /// Decides a change.
    fn decide(&self, change: &SnapshotChange) -> Result<Option<SnapshotStep>, SnapshotStateError> {
        let slice = self
            .snapshot
            .slice_to_process(change)
            .map(|index| self.slices[index as usize].clone());
        let slice = slice.unwrap_or_default();
        let caller = CallerFacts {
            key: Some(&self.holder),
            context: Some(&self.context),
            meter: Some(&self.meter),
            idempotency_record: None,
        };
        let addresses = slice
            .addresses()
            .map(|address| self.facts(address))
            .collect();
        self.snapshot.decide(
            change,
            &SnapshotFacts {
                caller,
                slice,
                addresses,
            },
            self.now,
        )
    }

    /// Decides the next slice of the job.
    fn step(&mut self) -> Option<SnapshotStep> {
        self.steps = self.steps.wrapping_add(1);
        let address_key = DigestKey::from_bytes([7; 32]);
        let input = SliceInput {
            nonce_seed: [self.steps; 32],
            address_key,
            rules: self.rules.clone(),
        };
        self.decide(&SnapshotChange::Continue(input)).unwrap()
    }

    fn change(&mut self, change: &SnapshotChange) -> Result<(), SnapshotStateError> {
        if let Some(step) = self.decide(change)? {
            self.apply(step);
        }
        Ok(())
    }

    fn upload(&mut self) {
        self.change(&SnapshotChange::BeginUpload).unwrap();
        let attempt = self.snapshot.progress.attempt;
        let listed_addresses: Vec<_> = self
            .listed
            .iter()
            .map(|(address, amount)| ListedAddress {
                address: *address,
                amount: *amount,
            })
            .collect();
        let mut slices = 0;
        for (index, addresses) in listed_addresses.chunks(SLICE).enumerate() {
            let index = u32::try_from(index).unwrap();
            self.change(&SnapshotChange::Append {
                attempt,
                index,
                addresses: addresses.to_vec(),
            })
            .unwrap();
            slices = index + 1;
        }
        self.change(&SnapshotChange::CompleteUpload {
            attempt,
            slices,
            addresses: listed_addresses.len() as u64,
        })
        .unwrap();
    }

    fn apply(&mut self, step: SnapshotStep) {
        self.snapshot = step.snapshot;
        if let Some((index, slice)) = step.slice {
            let index = index as usize;
            self.slices
                .resize(self.slices.len().max(index + 1), SnapshotSlice::default());
            self.slices[index] = slice;
        }
        for write in step.writes {
            self.meter = write.meter;
            self.ledger
                .extend(write.rows.into_iter().map(|row| (row, write.opening)));
        }
    }

    fn rows(&self) -> BTreeMap<EoaAddress, SnapshotRow> {
        self.slices
            .iter()
            .flat_map(|slice| &slice.rows)
            .map(|row| (row.address, *row))
            .collect()
    }

    /// Runs slices until the snapshot has this state. Slices are sometimes lost before they are written, as by a kill.
    fn run_until(&mut self, state: SnapshotState, random: &mut Rng) {
        for _ in 0..1_000 {
            if self.snapshot.progress.state == state {
                return;
            }
            let step = self.step();
            if let Some(SnapshotPause::CapReached { resets_at }) = self.snapshot.progress.pause {
                self.now = self.now.max(resets_at);
            }
            if let Some(step) = step.filter(|_| random.u8(..4) > 0) {
                self.apply(step);
            }
            self.now = self
                .now
                .saturating_add(Duration::from_secs(random.u64(..100)));
        }
        panic!("the job does not end");
    }

    /// Returns the addresses of the ledger rows of the snapshot, in order.
    fn billed(&self) -> Vec<EoaAddress> {
        let is_own = |row: &LedgerRow| matches!(row.kind, RowKind::Lookup(lookup) if lookup.idempotency == Some(self.snapshot.row_digest));
        self.ledger
            .iter()
            .filter(|(row, _)| is_own(row))
            .map(|(_, opening)| opening.address)
            .collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(tier::volume(500, 10_000)))]

    #[test]
    fn interrupted_job_bills_each_address_once(seed: u64) {
        let mut random = Rng::with_seed(seed);
        let mut store = SimulatedStore::new(&mut random);
        if random.bool() {
            let cap = Limit::Lookups(Some(random.u64(1..40)));
            store.meter = store.meter.with_limit(cap, &store.rules.price_book).unwrap();
        }
        store.upload();
        store.run_until(SnapshotState::Draft, &mut random);
        let listed_addresses: Vec<_> = store.listed.keys().copied().collect();
        prop_assert_eq!(store.billed(), listed_addresses.clone());
        let rows_before = store.rows();
        prop_assert_eq!(rows_before.keys().copied().collect::<Vec<_>>(), listed_addresses);
        prop_assert_eq!(store.snapshot.progress.units, rows_before.len() as u64);
        let last_row = store.ledger.last().map(|(row, _)| row.seq);
        prop_assert_eq!(store.snapshot.progress.last_row.map(|(seq, _)| seq), last_row);
        for row in rows_before.values() {
            prop_assert_eq!(row.amount, store.listed[&row.address]);
            prop_assert_eq!(row.answer.is_bot, store.verdicts.contains_key(&row.address));
        }
        let nonces: BTreeSet<_> = store.ledger.iter().map(|(_, opening)| opening.nonce).collect();
        prop_assert!(nonces.len() >= rows_before.len(), "a nonce was used twice");

        let appealed_addresses: Vec<_> = rows_before.keys().filter(|_| random.u8(..5) == 0).copied().collect();
        for address in &appealed_addresses {
            if store.verdicts.remove(address).is_none() {
                store.verdicts.insert(*address, flagged());
            }
        }
        let ledger = store.ledger.len();
        store.change(&SnapshotChange::Finalize).unwrap();
        store.run_until(SnapshotState::Final, &mut random);
        prop_assert_eq!(store.ledger.len(), ledger, "finalizing was billed");
        prop_assert_eq!(store.snapshot.progress.changed, appealed_addresses.len() as u64);
        for (address, row) in &store.rows() {
            let draft = rows_before[address];
            prop_assert_eq!(row.draft, appealed_addresses.contains(address).then_some(draft.answer));
            prop_assert_eq!(row.answer == draft.answer, !appealed_addresses.contains(address));
            prop_assert_eq!(row.amount, draft.amount);
        }
    }
}

#[test]
fn job_pauses_while_its_caller_is_rejected() {
    let mut random = Rng::with_seed(1);
    let mut store = SimulatedStore::new(&mut random);
    store.listed = BTreeMap::from([(address(1), None)]);
    store.upload();
    let rejections: [(Change, SnapshotPause); 4] = [
        (
            |store| store.holder.key.revoked_at = Some(START),
            SnapshotPause::KeyRejected,
        ),
        (
            |store| store.holder.key.id = KeyId::from_bytes([2; 16]),
            SnapshotPause::KeyRejected,
        ),
        (
            |store| store.holder.client.status = ClientStatus::Suspended,
            SnapshotPause::ClientSuspended,
        ),
        (
            |store| store.context.client = ClientId::from_bytes([2; 16]),
            SnapshotPause::ContextRejected,
        ),
    ];
    for (reject, expected) in rejections {
        let holder = store.holder.clone();
        let context = store.context.clone();
        store.snapshot.progress.pause = None;
        reject(&mut store);
        let step = store.step().unwrap();
        let progress = SnapshotProgress {
            pause: Some(expected),
            ..store.snapshot.progress
        };
        assert_eq!(
            step.snapshot,
            Snapshot {
                progress,
                ..store.snapshot.clone()
            }
        );
        assert_eq!((step.slice.is_none(), step.writes.len()), (true, 0));
        store.apply(step);
        assert!(store.step().is_none(), "a pause is written once");
        (store.holder, store.context) = (holder, context);
    }
    let step = store.step().unwrap();
    assert_eq!(
        (step.snapshot.progress.pause, step.snapshot.progress.units),
        (None, 1)
    );
}

#[test]
fn cap_records_the_first_addresses_of_a_slice() {
    let mut random = Rng::with_seed(1);
    let mut store = SimulatedStore::new(&mut random);
    store.listed = (1..=3).map(|number| (address(number), None)).collect();
    store.meter = store
        .meter
        .with_limit(Limit::Lookups(Some(2)), &store.rules.price_book)
        .unwrap();
    store.upload();
    let step = store.step().unwrap();
    store.apply(step);
    let progress = store.snapshot.progress;
    assert_eq!((progress.units, progress.next_slice), (2, 0));
    assert!(matches!(
        progress.pause,
        Some(SnapshotPause::CapReached { .. })
    ));
    assert_eq!(
        (store.slices[0].rows.len(), store.slices[0].pending.len()),
        (2, 1)
    );
    assert!(store.step().is_none());
    store.now = store.now.saturating_add(Duration::from_hours(31 * 24));
    let step = store.step().unwrap();
    store.apply(step);
    assert_eq!(
        (store.snapshot.progress.units, store.snapshot.progress.pause),
        (3, None)
    );
}

#[test]
fn interrupted_upload_is_replaced() {
    let mut random = Rng::with_seed(1);
    let mut store = SimulatedStore::new(&mut random);
    let append = |attempt, index, number| {
        let addresses = vec![ListedAddress {
            address: address(number),
            amount: None,
        }];
        SnapshotChange::Append {
            attempt,
            index,
            addresses,
        }
    };
    store.change(&SnapshotChange::BeginUpload).unwrap();
    store.change(&append(1, 0, 1)).unwrap();
    store.change(&append(1, 1, 2)).unwrap();
    store.change(&SnapshotChange::BeginUpload).unwrap();
    assert_eq!(
        store.change(&append(1, 2, 3)),
        Err(SnapshotStateError::UploadReplaced)
    );
    store.change(&append(2, 0, 4)).unwrap();
    let complete = SnapshotChange::CompleteUpload {
        attempt: 2,
        slices: 1,
        addresses: 1,
    };
    store.change(&complete).unwrap();
    assert_eq!(store.change(&complete), Ok(()), "a retry changes nothing");
    assert_eq!(
        store.change(&append(2, 1, 5)),
        Err(SnapshotStateError::NotUploading)
    );
    assert_eq!(
        store.change(&SnapshotChange::BeginUpload),
        Err(SnapshotStateError::NotUploading)
    );
    assert_eq!(
        store.snapshot.progress.stored_slices, 2,
        "the slices that a deletion has to remove"
    );
    store.run_until(SnapshotState::Draft, &mut random);
    assert_eq!(store.billed(), [address(4)]);
}

#[test]
fn repeated_creation_is_not_limited() {
    let snapshot = SimulatedStore::new(&mut Rng::with_seed(1)).snapshot;
    let stored_snapshot = Snapshot {
        created_at: START.saturating_add(Duration::from_secs(1)),
        ..snapshot.clone()
    };
    let creation =
        |existing: Option<&Snapshot>, count| snapshot.clone().creation(existing.cloned(), count);
    assert_eq!(
        creation(None, MAX_SNAPSHOTS - 1),
        SnapshotCreation::Created(snapshot.clone())
    );
    assert_eq!(
        creation(None, MAX_SNAPSHOTS),
        SnapshotCreation::LimitReached
    );
    assert_eq!(
        creation(Some(&stored_snapshot), MAX_SNAPSHOTS),
        SnapshotCreation::Existing(stored_snapshot)
    );
}

#[test]
fn snapshot_states_are_ordered() {
    let mut random = Rng::with_seed(1);
    let mut store = SimulatedStore::new(&mut random);
    assert_eq!(
        store.change(&SnapshotChange::Finalize),
        Err(SnapshotStateError::NoDraft)
    );
    store.upload();
    assert_eq!(
        store.change(&SnapshotChange::Finalize),
        Err(SnapshotStateError::NoDraft)
    );
    store.run_until(SnapshotState::Draft, &mut random);
    assert!(store.snapshot.progress.drafted_at.is_some());
    assert!(store.step().is_none(), "a draft has no work left");
    store.change(&SnapshotChange::Finalize).unwrap();
    assert!(
        store.decide(&SnapshotChange::Finalize).unwrap().is_none(),
        "a retry changes nothing"
    );
    store.run_until(SnapshotState::Final, &mut random);
    assert!(store.snapshot.progress.finalized_at.is_some());
    assert!(store.decide(&SnapshotChange::Finalize).unwrap().is_none());
}

#[test]
fn reward_is_for_included_statuses() {
    let row = |status, amount| SnapshotRow {
        address: address(1),
        answer: Answer::UNKNOWN,
        detail: Detail {
            status,
            ..Detail::UNKNOWN
        },
        amount,
        draft: None,
    };
    let units = TokenAmount::from_base_units;
    let rule = RewardRule {
        amount: Some(units(5)),
        ..RewardRule::default()
    };
    let inclusive_rule = RewardRule {
        includes_unknown: true,
        includes_unsure: true,
        ..rule
    };
    for (status, plain, inclusive) in [
        (Status::Human, Some(5), Some(5)),
        (Status::Unknown, None, Some(5)),
        (Status::Unsure, None, Some(5)),
        (Status::Bot, None, None),
    ] {
        assert_eq!(
            rule.reward(&row(status, None)),
            plain.map(units),
            "{status:?}"
        );
        assert_eq!(
            inclusive_rule.reward(&row(status, None)),
            inclusive.map(units),
            "{status:?}"
        );
    }
    assert_eq!(
        rule.reward(&row(Status::Human, Some(units(7)))),
        Some(units(7)),
        "a listed amount comes first"
    );
    assert_eq!(
        rule.reward(&row(Status::Human, Some(units(0)))),
        None,
        "an amount of zero is no reward"
    );
    assert_eq!(
        RewardRule::default().reward(&row(Status::Human, None)),
        None
    );
}

#[test]
fn erased_address_leaves_its_slice() {
    let listed_address = |number| ListedAddress {
        address: address(number),
        amount: None,
    };
    let mut slice = SnapshotSlice {
        rows: Vec::new(),
        pending: vec![listed_address(1), listed_address(2)],
    };
    assert!(slice.contains(&address(2)) && !slice.contains(&address(3)));
    slice.erase(&address(2));
    assert!(!slice.contains(&address(2)));
    assert_eq!(slice.pending, [listed_address(1)]);
}
