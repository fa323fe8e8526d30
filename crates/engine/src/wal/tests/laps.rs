//! Tests a log that wraps around repeatedly.

use super::*;
use crate::checksum;
use crate::recorded_lookups::tests::{LEDGERS, idempotency_key, lookup, new_meter};
use proptest::prelude::*;
use voight_domain::metering::MeterState;
use voight_encoding::Encode;
use voight_encoding::keyspace::meter_key;

/// Operation of a test on a log.
#[derive(Debug, Clone)]
enum Act {
    Apply(Vec<(u8, Option<usize>)>),
    /// Records lookups of a ledger, each with an idempotency record.
    LookUp(usize, u8),
    /// Sets a cap in the meter of a ledger.
    SetCap(usize, u8),
    Settle,
    Reopen,
    Kill,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let change = (0..8_u8, prop::option::of(0..6000_usize));
    let act = prop_oneof![
        12 => prop::collection::vec(change, 1..4).prop_map(Act::Apply),
        8 => (0..LEDGERS.len(), 1..20_u8).prop_map(|(ledger, count)| Act::LookUp(ledger, count)),
        2 => (0..LEDGERS.len(), any::<u8>()).prop_map(|(ledger, cap)| Act::SetCap(ledger, cap)),
        1 => Just(Act::Settle),
        1 => Just(Act::Reopen),
        2 => Just(Act::Kill),
    ];
    prop::collection::vec(act, 1..60)
}

/// Batches of a test, and the entries that they leave.
struct Model {
    expected: Map,
    /// Number of lookups, which gives each an idempotency digest of its own.
    lookups: u8,
}

impl Model {
    fn apply(&mut self, wal: &Wal<FaultyEngine>, batch: &Batch) {
        wal.apply(batch).unwrap();
        for (key, value) in batch.iter() {
            match value {
                Some(value) => self.expected.insert(key.to_vec(), value.to_vec()),
                None => self.expected.remove(&*key),
            };
        }
    }

    fn look_up(&mut self, wal: &Wal<FaultyEngine>, ledger: usize, count: u8) {
        let mut batch = Batch::default();
        let mut meter = meter(wal, ledger);
        for _ in 0..count {
            self.lookups = self.lookups.wrapping_add(1);
            let recorded_lookup = lookup(&meter, Some((self.lookups, 0)));
            let key = recorded_lookup
                .idempotency
                .map(|_| idempotency_key(ledger, self.lookups, 0))
                .unwrap();
            batch.remove(key);
            meter.apply(&recorded_lookup.row).unwrap();
            batch.record(LEDGERS[ledger], recorded_lookup, meter);
        }
        self.apply(wal, &batch);
    }

    fn put_meter(&mut self, wal: &Wal<FaultyEngine>, ledger: usize, meter: &MeterState) {
        let key = meter_key(LEDGERS[ledger]);
        let value = checksum::with_checksum(&key, meter.encode());
        let mut batch = Batch::default();
        batch.put(key, value);
        self.apply(wal, &batch);
    }
}

fn meter(wal: &Wal<FaultyEngine>, ledger: usize) -> MeterState {
    let key = meter_key(LEDGERS[ledger]);
    let mut meter = None;
    let mut visit = |value: &[u8]| {
        let record = checksum::verify(&key, value).unwrap();
        meter = Some(MeterState::decode(record).unwrap());
    };
    wal.snapshot().unwrap().get(&key, &mut visit).unwrap();
    meter.unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Wraps around the log several times, with kills in between.
    #[test]
    fn log_matches_the_model(acts in acts()) {
        let mut fixture = WalFixture::new();
        let mut wal = fixture.open().unwrap();
        let mut model = Model { expected: Map::new(), lookups: 0 };
        for (ledger, client) in [1, 2, 3].into_iter().enumerate() {
            model.put_meter(&wal, ledger, &new_meter(client));
        }
        for act in acts {
            match act {
                Act::Apply(changes) => {
                    let mut batch = Batch::default();
                    for (key, length) in changes {
                        match length {
                            Some(length) => batch.put(vec![key], vec![key; length]),
                            None => batch.remove(vec![key]),
                        }
                    }
                    model.apply(&wal, &batch);
                }
                Act::LookUp(ledger, count) => model.look_up(&wal, ledger, count),
                Act::SetCap(ledger, cap) => {
                    let capped_meter = MeterState { cap: Some(cap.into()), ..meter(&wal, ledger) };
                    model.put_meter(&wal, ledger, &capped_meter);
                }
                Act::Settle => wal.shared.wait_for_checkpoint().unwrap(),
                Act::Reopen => {
                    drop(wal);
                    wal = fixture.open().unwrap();
                }
                Act::Kill if fixture.log().exists() => {
                    let gate = fixture.engine.gate().lock().unwrap();
                    let killed_fixture = fixture.killed();
                    drop(gate);
                    drop(wal);
                    wal = killed_fixture.open().unwrap();
                    fixture = killed_fixture;
                }
                Act::Kill => {}
            }
            prop_assert_eq!(&seen(&wal), &model.expected);
        }
    }
}
