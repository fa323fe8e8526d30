//! Promises of `CheckCountStore`.

use super::cases;
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, Fixture, THREADS, together};
use std::collections::BTreeMap;
use voight_domain::check::{
    CheckCountKey, CheckCounts, CountedSite, MAX_COUNTED_ORIGINS, SiteCounts,
};
use voight_domain::metering::Day;
use voight_domain::ports::{ContextDayCounts, DayTotal, Store};
use voight_domain::vocabulary::ContextId;

cases![
    check_counts_add_up,
    check_counts_are_apart,
    check_counts_are_read_by_day,
    check_totals_are_read_by_day,
    old_check_counts_are_purged,
    origins_beyond_the_limit_are_others
];

const DAY: Day = Day(20_000);

fn site(number: usize) -> CountedSite {
    CountedSite::Origin(match format!("https://quest{number}.example").parse() {
        Ok(origin) => origin,
        Err(error) => panic!("{error}"),
    })
}

/// Returns `opened` opened checks of a context on a day from a site.
fn opened(
    context: &ContextId,
    day: Day,
    site: CountedSite,
    opened: u64,
) -> (CheckCountKey, CheckCounts) {
    let key = CheckCountKey {
        context: context.clone(),
        day,
        site,
    };
    let counts = CheckCounts {
        opened,
        ..CheckCounts::default()
    };
    (key, counts)
}

fn add(store: &dyn Store, counts: Vec<(CheckCountKey, CheckCounts)>) {
    block_on_ok(store.add_check_counts(counts));
}

/// Returns the opened checks of each site of a context on a day.
fn sites(store: &dyn Store, context: &ContextId, day: Day) -> BTreeMap<CountedSite, u64> {
    let contexts = std::slice::from_ref(context);
    let records = block_on_ok(store.check_counts(contexts, day, day));
    let numbers = |counts: &SiteCounts| -> Vec<_> {
        let sites = counts.sites();
        sites
            .map(|(site, counts)| (site.clone(), counts.opened))
            .collect()
    };
    records
        .iter()
        .flat_map(|record| numbers(&record.counts))
        .collect()
}

/// Returns the opened checks of all contexts on each day.
fn totals(store: &dyn Store, first: Day, last: Day) -> Vec<(Day, u64)> {
    let totals = block_on_ok(store.check_totals(first, last));
    let numbers = |total: &DayTotal| (total.day, total.counts.opened);
    totals.iter().map(numbers).collect()
}

fn check_counts_add_up(fixture: &mut Fixture) {
    const ROUNDS: usize = 5;
    let account = fixture.account();
    let contexts = [account.context.id, fixture.context(&account.key).id];
    let store = fixture.store();
    let all_counts = CheckCounts {
        opened: 1,
        started: 2,
        completed: 3,
        human: 4,
        bot: 5,
        unsure: 6,
        owned: 7,
    };
    together(|thread| {
        for round in 0..ROUNDS {
            let context = &contexts[(thread + round) % contexts.len()];
            let (key, _) = opened(context, DAY, site(thread % 3), 1);
            let tomorrow = opened(context, Day(DAY.0 + 1), site(0), 1);
            add(store, vec![(key, all_counts), tomorrow]);
        }
    });
    let number = (THREADS * ROUNDS) as u64;
    let expected_counts = CheckCounts {
        opened: number,
        started: 2 * number,
        completed: 3 * number,
        human: 4 * number,
        bot: 5 * number,
        unsure: 6 * number,
        owned: 7 * number,
    };
    let records = block_on_ok(store.check_counts(&contexts, DAY, DAY));
    let sum: CheckCounts = records.iter().map(|record| record.counts.total()).sum();
    assert_eq!(sum, expected_counts, "counts of contexts are lost");
    let total = block_on_ok(store.check_totals(DAY, DAY));
    assert_eq!(total.len(), 1);
    assert_eq!(total[0].counts, expected_counts, "counts of a day are lost");
    let tomorrow = Day(DAY.0 + 1);
    assert_eq!(totals(store, tomorrow, tomorrow), [(tomorrow, number)]);
}

fn check_counts_are_apart(fixture: &mut Fixture) {
    let account = fixture.account();
    let other_context = fixture.context(&account.key).id;
    let context = account.context.id;
    let store = fixture.store();
    let yesterday = Day(DAY.0 - 1);
    let counts = vec![
        opened(&context, DAY, site(1), 1),
        opened(&context, DAY, site(2), 2),
        opened(&context, DAY, CountedSite::Unknown, 3),
        opened(&context, yesterday, site(1), 4),
        opened(&other_context, DAY, site(1), 5),
    ];
    add(store, counts);
    add(store, vec![opened(&context, DAY, site(1), 10)]);
    let today = [(site(1), 11), (site(2), 2), (CountedSite::Unknown, 3)];
    assert_eq!(sites(store, &context, DAY), BTreeMap::from(today));
    let of_yesterday = sites(store, &context, yesterday);
    assert_eq!(of_yesterday, BTreeMap::from([(site(1), 4)]));
    let elsewhere = sites(store, &other_context, DAY);
    assert_eq!(elsewhere, BTreeMap::from([(site(1), 5)]));
}

fn check_counts_are_read_by_day(fixture: &mut Fixture) {
    let account = fixture.account();
    let mut contexts: Vec<_> = (0..3).map(|_| fixture.context(&account.key).id).collect();
    contexts.sort_unstable();
    let store = fixture.store();
    let days = [-1, 0, 1, 2, 3].map(Day);
    for day in days.iter().rev() {
        let counts = contexts
            .iter()
            .map(|context| opened(context, *day, site(1), 1));
        add(store, counts.collect());
    }
    let read = |contexts: &[ContextId], first, last| -> Vec<_> {
        let records = block_on_ok(store.check_counts(contexts, Day(first), Day(last)));
        let key = |record: &ContextDayCounts| (record.day.0, record.context.clone());
        records.iter().map(key).collect()
    };
    let [first, second, third] = [0, 1, 2].map(|index: usize| contexts[index].clone());
    let requested = [third.clone(), first.clone()];
    let expected_keys = [
        (-1, first.clone()),
        (-1, third.clone()),
        (0, first.clone()),
        (0, third),
    ];
    assert_eq!(read(&requested, -1, 0), expected_keys);
    assert_eq!(read(std::slice::from_ref(&second), 3, 9), [(3, second)]);
    assert_eq!(read(&contexts, i64::MIN, i64::MAX).len(), 15);
    assert_eq!(read(&contexts, 4, i64::MAX), []);
    assert_eq!(read(&contexts, 1, 0), []);
    assert_eq!(read(&[], i64::MIN, i64::MAX), []);
    assert_eq!(read(&[account.context.id], i64::MIN, i64::MAX), []);
}

fn check_totals_are_read_by_day(fixture: &mut Fixture) {
    let account = fixture.account();
    let other_account = fixture.account();
    let store = fixture.store();
    for day in [3, -1, 1] {
        let counts = [&account, &other_account]
            .map(|account| opened(&account.context.id, Day(day), site(1), 2));
        add(store, counts.to_vec());
    }
    let all_totals = [(Day(-1), 4), (Day(1), 4), (Day(3), 4)];
    assert_eq!(totals(store, Day(i64::MIN), Day(i64::MAX)), all_totals);
    assert_eq!(totals(store, Day(-1), Day(3)), all_totals);
    assert_eq!(totals(store, Day(0), Day(2)), [(Day(1), 4)]);
    assert_eq!(totals(store, Day(1), Day(1)), [(Day(1), 4)]);
    assert_eq!(totals(store, Day(2), Day(2)), []);
    assert_eq!(totals(store, Day(3), Day(-1)), []);
}

fn old_check_counts_are_purged(fixture: &mut Fixture) {
    let account = fixture.account();
    let context = account.context.id;
    let other_context = fixture.context(&account.key).id;
    let store = fixture.store();
    for day in 0..4 {
        let counts =
            [&context, &other_context].map(|context| opened(context, Day(day), site(1), 1));
        add(store, counts.to_vec());
    }
    let purge = |limit| block_on_ok(store.purge_check_counts(Day(2), limit));
    assert_eq!(purge(0), 0);
    let purged_records = [0; 4].map(|_| purge(4));
    assert_eq!(purged_records, [4, 2, 0, 0], "four counts and two totals");
    let kept_totals = [(Day(2), 2), (Day(3), 2)];
    assert_eq!(totals(store, Day(0), Day(9)), kept_totals);
    let contexts = [context, other_context];
    let kept_records = block_on_ok(store.check_counts(&contexts, Day(0), Day(9)));
    assert_eq!(kept_records.len(), 4);
    assert_eq!(block_on_ok(store.purge_check_counts(Day(0), ALL)), 0);
}

fn origins_beyond_the_limit_are_others(fixture: &mut Fixture) {
    let account = fixture.account();
    let other_context = fixture.context(&account.key).id;
    let context = account.context.id;
    let store = fixture.store();
    let counts = |numbers: std::ops::Range<usize>| -> Vec<_> {
        numbers
            .map(|number| opened(&context, DAY, site(number), 1))
            .collect()
    };
    add(store, counts(0..MAX_COUNTED_ORIGINS - 1));
    // One origin is the last with counts of its own; the known ones keep theirs.
    add(store, counts(MAX_COUNTED_ORIGINS..MAX_COUNTED_ORIGINS + 7));
    add(store, counts(0..2));
    let numbers = sites(store, &context, DAY);
    assert_eq!(numbers.len(), MAX_COUNTED_ORIGINS + 1);
    assert_eq!(numbers[&CountedSite::Others], 6);
    assert_eq!(numbers[&site(0)], 2);
    // The limit is one of a context and a day.
    add(store, vec![opened(&other_context, DAY, site(99), 1)]);
    add(store, vec![opened(&context, Day(DAY.0 + 1), site(99), 1)]);
    let alone = BTreeMap::from([(site(99), 1)]);
    assert_eq!(sites(store, &other_context, DAY), alone);
    assert_eq!(sites(store, &context, Day(DAY.0 + 1)), alone);
}
