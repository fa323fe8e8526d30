//! Tests a log that wraps around repeatedly.

use super::*;
use proptest::prelude::*;

/// Operation of a test on a log.
#[derive(Debug, Clone)]
enum Act {
    Apply(Vec<(u8, Option<usize>)>),
    Settle,
    Reopen,
    Kill,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let change = (0..8_u8, prop::option::of(0..6000_usize));
    let act = prop_oneof![
        12 => prop::collection::vec(change, 1..4).prop_map(Act::Apply),
        1 => Just(Act::Settle),
        1 => Just(Act::Reopen),
        2 => Just(Act::Kill),
    ];
    prop::collection::vec(act, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Wraps around the log several times, with kills in between.
    #[test]
    fn nothing_is_lost_or_changed(acts in acts()) {
        let mut place = WalFixture::new();
        let mut logged = place.open().unwrap();
        let mut expected = Map::new();
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
                    logged.apply(&batch).unwrap();
                    batch.for_each(|key, value| {
                        match value {
                            Some(value) => expected.insert(key.to_vec(), value.to_vec()),
                            None => expected.remove(key),
                        };
                    });
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
            prop_assert_eq!(&seen(&logged), &expected);
        }
    }
}
