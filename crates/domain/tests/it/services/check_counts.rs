//! Counts of checks from their opening to the stored counts.

use crate::services::checks::{complete, evidence};
use crate::services::fixture::{Fixture, robot};
use std::collections::BTreeMap;
use voight_domain::check::{CHECK_TTL, CheckCounts, CountedSite, SiteCounts};
use voight_domain::metering::Day;
use voight_domain::retention::{RetentionPolicy, days};
use voight_domain::services::MAX_COUNT_DAYS;
use voight_domain::{ContextId, Environment};
use voight_support::{NOW, poll_now};

fn today() -> Day {
    Day(NOW.day())
}

fn of_context(bench: &Fixture, context: &ContextId) -> BTreeMap<Day, SiteCounts> {
    let counts = bench.check_counts.of_context(context, today(), today());
    poll_now(counts).unwrap()
}

fn total(bench: &Fixture) -> BTreeMap<Day, CheckCounts> {
    poll_now(bench.check_counts.total(today(), today())).unwrap()
}

fn store_counts(bench: &Fixture) {
    poll_now(bench.check_counts.store_counts()).unwrap();
}

#[test]
fn steps_of_a_check_are_counted() {
    let bench = Fixture::new(robot());
    let (_, context) = bench.context("acme");
    let opened_check = bench.open(&context, None);
    bench.open(&context, None);
    evidence(&bench, &opened_check, &context);
    store_counts(&bench);
    let started = CheckCounts {
        opened: 2,
        started: 1,
        ..CheckCounts::default()
    };
    assert_eq!(total(&bench), BTreeMap::from([(today(), started)]));
    complete(&bench, &opened_check).unwrap();
    complete(&bench, &opened_check).unwrap();
    store_counts(&bench);
    let completed = CheckCounts {
        completed: 1,
        bot: 1,
        ..started
    };
    assert_eq!(total(&bench), BTreeMap::from([(today(), completed)]));
    let by_day = of_context(&bench, &context);
    let sites: Vec<_> = by_day[&today()].sites().collect();
    let origin = CountedSite::Origin("https://quest.example".parse().unwrap());
    assert_eq!(sites, [(&origin, &completed)]);
}

#[test]
fn expired_check_is_counted_on_its_day() {
    let bench = Fixture::new(robot());
    let (_, context) = bench.context("acme");
    let opened_check = bench.open(&context, None);
    evidence(&bench, &opened_check, &context);
    bench.clock.advance(CHECK_TTL * 1_000);
    let report = poll_now(bench.maintenance.run_jobs(bench.ports.clock.now()));
    assert_eq!(report.judged, 1);
    store_counts(&bench);
    let counts = total(&bench)[&today()];
    assert_eq!((counts.completed, counts.bot), (1, 1));
}

#[test]
fn sandbox_checks_are_counted() {
    let bench = Fixture::new(robot());
    let (_, context) = bench.context_of("acme", Environment::Sandbox);
    let opened_check = bench.open(&context, None);
    evidence(&bench, &opened_check, &context);
    complete(&bench, &opened_check).unwrap();
    store_counts(&bench);
    let counts = of_context(&bench, &context)[&today()].total();
    let expected_counts = CheckCounts {
        opened: 1,
        started: 1,
        completed: 1,
        unsure: 1,
        ..CheckCounts::default()
    };
    assert_eq!(counts, expected_counts, "the address has no answer");
}

#[test]
fn counts_of_several_contexts_are_read() {
    let bench = Fixture::new(robot());
    let (holder, context) = bench.context("acme");
    let other_context = bench.register(&holder, "autumn");
    let idle_context = bench.register(&holder, "winter");
    bench.open(&context, None);
    bench.open(&other_context, None);
    store_counts(&bench);
    let contexts = [context.clone(), other_context.clone(), idle_context];
    let counts = bench.check_counts.of_contexts(&contexts, today(), today());
    let days = BTreeMap::from([(today(), CheckCounts::OPENED)]);
    let expected_counts = BTreeMap::from([(context, days.clone()), (other_context, days)]);
    assert_eq!(poll_now(counts).unwrap(), expected_counts);
}

#[test]
fn reads_are_limited_to_the_last_days() {
    let bench = Fixture::new(robot());
    let (_, context) = bench.context("acme");
    bench.open(&context, None);
    store_counts(&bench);
    let read = |last: Day| {
        let counts = bench.check_counts.total(Day(i64::MIN), last);
        poll_now(counts).unwrap().len()
    };
    assert_eq!(read(Day(today().0 + MAX_COUNT_DAYS - 1)), 1);
    assert_eq!(read(Day(today().0 + MAX_COUNT_DAYS)), 0);
}

#[test]
fn old_counts_are_purged_by_the_jobs() {
    let bench = Fixture::new(robot());
    let (_, context) = bench.context("acme");
    bench.open(&context, None);
    store_counts(&bench);
    bench.clock.advance(RetentionPolicy::CHECK_COUNT_RETENTION);
    poll_now(bench.maintenance.run_jobs(bench.ports.clock.now()));
    assert_eq!(total(&bench).len(), 1, "the retention has not ended");
    bench.clock.advance(days(1));
    poll_now(bench.maintenance.run_jobs(bench.ports.clock.now()));
    assert!(total(&bench).is_empty());
    assert!(of_context(&bench, &context).is_empty());
}
