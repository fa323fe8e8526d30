//! Answers and their rows.

use super::histories::at_the_end;
use super::positions::cut_points;
use super::world::BillingSimulation;
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use voight_domain::metering::{
    AllowanceReset, IdempotencyInput, LookupOutcome, LookupRow, RowKind,
};

fn lookups(world: &BillingSimulation) -> impl Iterator<Item = (u64, LookupRow)> {
    world.rows.iter().filter_map(|row| match row.kind {
        RowKind::Lookup(lookup) => Some((row.seq, lookup)),
        RowKind::PeriodEnd(_) => None,
    })
}

#[test]
fn answers_match_rows_one_to_one() {
    at_the_end(|world| {
        let mut rows: HashMap<_, _> = lookups(world)
            .map(|(seq, row)| (row.commitment, (seq, row.answer)))
            .collect();
        assert_eq!(
            rows.len(),
            lookups(world).count(),
            "two rows are of one lookup"
        );
        for attempt in &world.attempts {
            let row = rows.remove(&attempt.commitment);
            match attempt.told {
                Some(LookupOutcome::Recorded(answered, _)) => {
                    assert_eq!(row, Some((answered.seq, answered.answer)));
                }
                Some(other) => assert_eq!(row, None, "{other:?}"),
                None => {}
            }
        }
        assert!(rows.is_empty(), "rows without a request: {rows:?}");
    });
}

#[test]
fn retries_are_metered_once() {
    const KEPT: Duration = Duration::from_hours(24);
    at_the_end(|world| {
        let rows: HashMap<_, _> = lookups(world)
            .map(|(seq, row)| (row.commitment, seq))
            .collect();
        let mut last = HashMap::new();
        for attempt in &world.attempts {
            let Some(IdempotencyInput {
                key_digest: key,
                fingerprint: parameters,
            }) = attempt.idempotency
            else {
                continue;
            };
            if let Some(seq) = rows.get(&attempt.commitment) {
                if let Some((before, ..)) = last.insert(key, (attempt.now, *seq, parameters)) {
                    assert!(
                        attempt.now >= before.saturating_add(KEPT),
                        "a second row for {key:?} within a day"
                    );
                }
            } else if let Some(LookupOutcome::Replayed(answered)) = attempt.told {
                let (before, seq, asked) = last[&key];
                assert_eq!(
                    (answered.seq, parameters),
                    (seq, asked),
                    "a replay is not the answer of its row"
                );
                assert!(attempt.now < before.saturating_add(KEPT));
            }
        }
    });
}

#[test]
fn free_rows_equal_the_allowance() {
    at_the_end(|world| {
        let allowance = world.rules.allowance;
        let mut used_allowance = 0;
        let mut period = 0;
        for place in cut_points(world) {
            if world.rules.reset == AllowanceReset::Monthly && place.period > period {
                used_allowance = 0;
            }
            period = place.period;
            assert_eq!(
                place.row.free,
                used_allowance < allowance,
                "row {} after {used_allowance} free ones",
                place.seq
            );
            used_allowance += u64::from(place.row.free);
        }
    });
}

/// Outcomes that no history reaches are not tested by the histories.
#[test]
fn histories_cover_all_outcomes() {
    let seen_outcomes = std::cell::RefCell::new(HashSet::new());
    at_the_end(|world| {
        let mut seen_outcomes = seen_outcomes.borrow_mut();
        seen_outcomes.extend(world.attempts.iter().map(|attempt| match attempt.told {
            None => "failed",
            Some(LookupOutcome::Recorded(_, alerts)) if alerts.iter().count() > 1 => {
                "two alerts at once"
            }
            Some(LookupOutcome::Recorded(..)) => "recorded",
            Some(LookupOutcome::Replayed(_)) => "replayed",
            Some(LookupOutcome::IdempotencyKeyReused) => "reused",
            Some(LookupOutcome::CapReached { .. }) => "capped",
            Some(LookupOutcome::InvalidKey) => "refused",
            Some(LookupOutcome::ClientSuspended) => "suspended",
            Some(LookupOutcome::UnknownContext) => "foreign",
            Some(LookupOutcome::ScopeMissing) => "unable",
        }));
        seen_outcomes.extend(
            world
                .invoices
                .values()
                .map(|invoice| invoice.state.as_str()),
        );
        seen_outcomes.extend(world.alerts.iter().map(|alert| alert.kind.as_str()));
        let has = |reached: bool, what| reached.then_some(what);
        seen_outcomes.extend(has(
            world
                .invoices
                .values()
                .any(|invoice| invoice.replaces.is_some()),
            "a replacement",
        ));
        seen_outcomes.extend(has(
            world
                .invoices
                .values()
                .any(|invoice| invoice.statement.carried_forward.minor < 0),
            "owed",
        ));
        seen_outcomes.extend(has(
            world
                .invoices
                .values()
                .any(|invoice| invoice.statement.carried_forward.minor > 0),
            "made up for",
        ));
        seen_outcomes.extend(has(world.ended.len() > 3, "four periods"));
    });
    let expected_outcomes = [
        "failed",
        "two alerts at once",
        "recorded",
        "replayed",
        "reused",
        "capped",
        "refused",
        "suspended",
        "foreign",
        "open",
        "paid",
        "void",
        "uncollectible",
        "allowance.80",
        "allowance.100",
        "budget.80",
        "budget.100",
        "a replacement",
        "owed",
        "made up for",
        "four periods",
    ];
    let seen_outcomes = seen_outcomes.into_inner();
    let missing: Vec<_> = expected_outcomes
        .into_iter()
        .filter(|outcome| !seen_outcomes.contains(outcome))
        .collect();
    assert!(missing.is_empty(), "no history has {missing:?}");
}
