//! Caps and alerts, recomputed from the rows.

use super::histories::at_the_end;
use super::positions::{LookupPosition, cut_points};
use super::reference_pricing;
use super::world::{Attempt, BillingSimulation};
use std::collections::{HashMap, HashSet};
use voight_domain::metering::{AlertKind, AllowanceReset, LookupOutcome, Period};
use voight_domain::vocabulary::Timestamp;

#[test]
fn period_never_exceeds_its_caps() {
    at_the_end(|world| {
        for place in cut_points(world) {
            let limits = place.attempt.limits;
            assert_eq!(
                place.row.cap, limits.cap,
                "row {} does not say its cap",
                place.seq
            );
            assert!(
                limits.cap.is_none_or(|cap| place.billable() <= cap),
                "row {} is beyond the cap",
                place.seq
            );
            let cap = limits
                .money
                .filter(|cap| !place.row.free && place.can_compare(*cap));
            assert!(
                cap.is_none_or(|cap| place.most <= cap.minor),
                "row {} costs more than the cap",
                place.seq
            );
        }
    });
}

#[test]
fn cap_rejects_only_excess_lookups() {
    at_the_end(|world| {
        let places: HashMap<_, _> = cut_points(world)
            .into_iter()
            .map(|place| (place.seq, place))
            .collect();
        for attempt in &world.attempts {
            if let Some(LookupOutcome::CapReached { resets_at, .. }) = attempt.told {
                let rows_before = u64::try_from(attempt.rows_before).unwrap();
                assert!(
                    is_due(world, attempt, resets_at, places.get(&rows_before)),
                    "refused after row {rows_before}"
                );
            }
        }
    });
}

/// Returns `true` if a lookup after the row `last` exceeds a cap.
fn is_due(
    world: &BillingSimulation,
    attempt: &Attempt,
    resets_at: Timestamp,
    last: Option<&LookupPosition<'_>>,
) -> bool {
    let limits = attempt.limits;
    // A row that is dated after the end of the period is the first of another one.
    let at = last.map_or(attempt.now, |last| {
        attempt.now.max(world.rows[place_of(last)].at)
    });
    let last = last.filter(|last| {
        Period::month_containing(
            world.rows[place_of(last)].at,
            last.first.rules.period_start_day,
        )
        .contains(at)
    });
    assert!(at < resets_at, "the next period has begun already");
    let (billable, paid, most) =
        last.map_or((0, 0, 0), |last| (last.billable(), last.paid, last.most));
    let book = &last.map_or(attempt, |last| last.first).rules.price_book;
    let money = limits.money.is_some_and(|cap| {
        cap.currency != book.currency()
            || most.max(reference_pricing::minor(book, paid + 1)) > cap.minor
    });
    money || limits.cap.is_some_and(|cap| billable >= cap)
}

fn place_of(place: &LookupPosition<'_>) -> usize {
    usize::try_from(place.seq - 1).unwrap()
}

#[test]
fn alert_is_raised_once_at_its_row() {
    at_the_end(|world| {
        let places = cut_points(world);
        // The cost of a budget in another currency is undefined.
        let has_comparable_budget = |place: &&LookupPosition<'_>| {
            place
                .attempt
                .limits
                .budget
                .is_none_or(|budget| place.can_compare(budget))
        };
        let comparable: HashSet<_> = places
            .iter()
            .filter(has_comparable_budget)
            .map(|place| place.seq)
            .collect();
        // The alert of a cap is tested beside its rule.
        let is_compared = |(kind, seq): &(AlertKind, u64)| {
            kind.is_of_allowance() || *kind != AlertKind::CapReached && comparable.contains(seq)
        };
        let raised_alerts: Vec<_> = world
            .alerts
            .iter()
            .map(|alert| (alert.kind, alert.seq))
            .filter(is_compared)
            .collect();
        let due_alerts: Vec<_> = due(world, &places)
            .into_iter()
            .filter(is_compared)
            .collect();
        assert_eq!(raised_alerts, due_alerts);
        assert!(world.alerts.iter().all(|alert| {
            world
                .rows
                .iter()
                .any(|row| (row.seq, row.at) == (alert.seq, alert.at))
        }));
    });
}

/// Returns the alerts that the rows make due, each at the first row that does.
fn due(world: &BillingSimulation, places: &[LookupPosition<'_>]) -> Vec<(AlertKind, u64)> {
    let allowance = world.rules.allowance;
    let mut used_allowance = 0;
    let mut period = 0;
    let mut raised_alerts = Vec::new();
    let mut due_alerts = Vec::new();
    for place in places {
        if place.period > period && world.rules.reset == AllowanceReset::Monthly {
            used_allowance = 0;
        }
        period = place.period;
        used_allowance += u64::from(place.row.free);
        let budget = place.attempt.limits.budget.filter(|_| !place.row.free);
        let is_spent =
            |fifths| budget.is_some_and(|budget| place.most * 5 >= budget.minor * fifths);
        let is_new = |fifths| {
            place.row.free
                && used_allowance * 5 >= allowance * fifths
                && (used_allowance - 1) * 5 < allowance * fifths
        };
        due_alerts.extend(is_new(4).then_some((AlertKind::Allowance80, place.seq)));
        due_alerts.extend(is_new(5).then_some((AlertKind::Allowance100, place.seq)));
        for (kind, is_spent) in [
            (AlertKind::Budget80, is_spent(4)),
            (AlertKind::Budget100, is_spent(5)),
        ] {
            // Once for each budget in each period.
            let once = (kind, period, place.attempt.limits.budgets);
            if is_spent && !raised_alerts.contains(&once) {
                raised_alerts.push(once);
                due_alerts.push((kind, place.seq));
            }
        }
    }
    due_alerts
}
