//! Tests a log that wraps around repeatedly.

use super::*;
use crate::read_records::ReadRecords;
use crate::recorded_lookups::tests::{LEDGERS, idempotency_key, lookup, new_meter};
use crate::{checksum, table};
use proptest::prelude::*;
use voight_domain::metering::MeterState;
use voight_encoding::Encode;

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
    fn apply(&mut self, logged: &Wal<FaultyEngine>, batch: &Batch) {
        logged.apply(batch).unwrap();
        for (key, value) in batch.iter() {
            match value {
                Some(value) => self.expected.insert(key.to_vec(), value.to_vec()),
                None => self.expected.remove(&*key),
            };
        }
    }

    fn look_up(&mut self, logged: &Wal<FaultyEngine>, ledger: usize, count: u8) {
        let (mut batch, mut meter) = (Batch::default(), meter(logged, ledger));
        for _ in 0..count {
            self.lookups = self.lookups.wrapping_add(1);
            let made = lookup(&meter, Some((self.lookups, 0)));
            let key = made
                .idempotency
                .map(|_| idempotency_key(ledger, self.lookups, 0))
                .unwrap();
            batch.remove(key);
            meter.apply(&made.row).unwrap();
            batch.record(LEDGERS[ledger], made, meter);
        }
        self.apply(logged, &batch);
    }

    fn put_meter(&mut self, logged: &Wal<FaultyEngine>, ledger: usize, meter: &MeterState) {
        let key = table::meter_of(LEDGERS[ledger]).key;
        let value = checksum::with_checksum(&key, meter.encode());
        let mut batch = Batch::default();
        batch.put(key, value);
        self.apply(logged, &batch);
    }
}

fn meter(logged: &Wal<FaultyEngine>, ledger: usize) -> MeterState {
    logged
        .snapshot()
        .unwrap()
        .fetch(&table::meter_of(LEDGERS[ledger]))
        .unwrap()
        .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Wraps around the log several times, with kills in between.
    #[test]
    fn log_matches_the_model(acts in acts()) {
        let mut place = WalFixture::new();
        let mut logged = place.open().unwrap();
        let mut model = Model { expected: Map::new(), lookups: 0 };
        for (ledger, client) in [1, 2, 3].into_iter().enumerate() {
            model.put_meter(&logged, ledger, &new_meter(client));
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
                    model.apply(&logged, &batch);
                }
                Act::LookUp(ledger, count) => model.look_up(&logged, ledger, count),
                Act::SetCap(ledger, cap) => {
                    let capped = MeterState { cap: Some(cap.into()), ..meter(&logged, ledger) };
                    model.put_meter(&logged, ledger, &capped);
                }
                Act::Settle => logged.shared.wait_for_checkpoint().unwrap(),
                Act::Reopen => {
                    drop(logged);
                    logged = place.open().unwrap();
                }
                Act::Kill if place.log().exists() => {
                    let gate = place.engine.gate().lock().unwrap();
                    let left = place.killed();
                    drop(gate);
                    drop(logged);
                    logged = left.open().unwrap();
                    place = left;
                }
                Act::Kill => {}
            }
            prop_assert_eq!(&seen(&logged), &model.expected);
        }
    }
}
