//! Promises of `EvidenceStore`.

use super::cases;
use crate::block_on::block_on_ok;
use crate::fixture::{
    ALL, EVIDENCE_BUDGET, FOREVER, Fixture, THREADS, TestAccount, eventually, together,
};
use crate::generate::address;
use std::time::Duration;
use voight_domain::check::Challenge;
use voight_domain::ports::AppendOutcome;
use voight_domain::registry::Context;
use voight_domain::secrets::NetworkHash;
use voight_domain::vocabulary::{CheckId, Timestamp};

cases![
    batch_number_is_kept_once,
    batches_are_kept_in_order,
    first_batch_sets_expiry,
    evidence_is_bounded,
    large_and_small_batches_keep_their_order,
    network_evicts_its_own_evidence,
    shares_survive_reopening needs DurableAck,
    context_evicts_its_own_evidence,
    judged_check_is_not_listed,
    eviction_removes_expired,
];

fn batch_number_is_kept_once(fixture: &mut Fixture) {
    let account = fixture.account();
    let challenge = fixture
        .make
        .challenge(&account.context, address(1), fixture.now());
    let mut kept_batches = Vec::new();
    for number in 1..=3 {
        let outcomes = together(|_| {
            let batch = fixture.make.batch(&challenge, number, 100, fixture.now());
            (
                block_on_ok(fixture.store().append(batch.clone(), FOREVER)),
                batch,
            )
        });
        let stored_batches: Vec<_> = outcomes
            .iter()
            .filter(|(outcome, _)| *outcome == AppendOutcome::Stored)
            .collect();
        let [(_, batch)] = stored_batches[..] else {
            panic!("of {THREADS} batches {} are stored", stored_batches.len())
        };
        kept_batches.push(batch.clone());
        assert_eq!(
            block_on_ok(fixture.store().batches(challenge.check)),
            kept_batches
        );
    }
}

fn batches_are_kept_in_order(fixture: &mut Fixture) {
    let account = fixture.account();
    let [first, second] = [1, 2].map(|person| {
        fixture
            .make
            .challenge(&account.context, address(person), fixture.now())
    });
    let append = |challenge: &Challenge, number| {
        block_on_ok(fixture.store().append(
            fixture.make.batch(challenge, number, 100, fixture.now()),
            FOREVER,
        ))
    };
    for rejected in [0, 2, 3, u8::MAX] {
        assert_eq!(
            append(&first, rejected),
            AppendOutcome::OutOfOrder,
            "{rejected} is stored of a check without evidence"
        );
    }
    let unjudged_checks = || {
        block_on_ok(
            fixture
                .store()
                .unjudged_checks(fixture.now().saturating_add(Duration::from_secs(1)), ALL),
        )
    };
    assert_eq!(
        unjudged_checks(),
        [],
        "a check whose batch was rejected is listed"
    );
    for next in 1..=3 {
        for rejected in (0..=4).filter(|number| *number != next) {
            assert_eq!(
                append(&first, rejected),
                AppendOutcome::OutOfOrder,
                "{rejected} is stored, expected {next}"
            );
        }
        assert_eq!(append(&first, next), AppendOutcome::Stored);
    }
    assert_eq!(
        append(&second, 2),
        AppendOutcome::OutOfOrder,
        "another check's batches count"
    );
    assert_eq!(unjudged_checks(), [first.check]);
}

fn first_batch_sets_expiry(fixture: &mut Fixture) {
    let account = fixture.account();
    let challenges = opened(fixture, &account, 2, &[]);
    let start = fixture.now();
    let seconds_later = |seconds| start.saturating_add(Duration::from_secs(seconds));
    let [early, late] = [seconds_later(5), seconds_later(10)];
    for (challenge, ends) in challenges.iter().zip([[early, late], [late, early]]) {
        for (number, keep_until) in (1..).zip(ends) {
            append(fixture, challenge, number, keep_until);
        }
    }
    let evict = |now| block_on_ok(fixture.store().evict(now, Duration::MAX, ALL));
    let batch_counts = || {
        challenges
            .iter()
            .map(|check| block_on_ok(fixture.store().batches(check.check)).len())
            .collect::<Vec<_>>()
    };
    assert_eq!((evict(seconds_later(6)), batch_counts()), (1, vec![0, 2]));
    assert_eq!((evict(seconds_later(11)), batch_counts()), (1, vec![0, 0]));
}

fn evidence_is_bounded(fixture: &mut Fixture) {
    const SIZE: usize = 8 * 1024;
    let checks = 3 * EVIDENCE_BUDGET / (2 * SIZE as u64);
    let account = fixture.account();
    // The check opened last expires first: the budget ignores expiry.
    let open_checks: Vec<_> = (0..checks)
        .map(|place| {
            fixture.clock.advance(Duration::from_secs(1));
            let challenge = fixture
                .make
                .challenge(&account.context, address(1), fixture.now());
            for number in 1..=2 {
                let batch = fixture.make.batch(&challenge, number, SIZE, fixture.now());
                let keep_until = FOREVER.saturating_sub(Duration::from_hours(place));
                assert_eq!(
                    block_on_ok(fixture.store().append(batch, keep_until)),
                    AppendOutcome::Stored
                );
            }
            challenge.check
        })
        .collect();
    let sizes = || -> Vec<_> {
        open_checks
            .iter()
            .map(|check| block_on_ok(fixture.store().batches(*check)).len())
            .collect()
    };
    let budget = usize::try_from(EVIDENCE_BUDGET).unwrap_or(usize::MAX);
    eventually("evidence is within its budget", || {
        sizes().iter().sum::<usize>() * SIZE <= budget
    });
    let sizes = sizes();
    assert!(
        sizes.is_sorted() && sizes.iter().all(|size| [0, 2].contains(size)),
        "not exactly the oldest checks were evicted: {sizes:?}"
    );
    let stored_bytes = sizes.iter().sum::<usize>() * SIZE;
    assert!(
        stored_bytes >= budget / 2,
        "only {stored_bytes} of {budget} bytes are used"
    );
    let unjudged_checks = block_on_ok(fixture.store().unjudged_checks(
        fixture.now().saturating_add(Duration::from_secs(1)),
        open_checks.len(),
    ));
    let remaining_checks: Vec<_> = open_checks
        .iter()
        .zip(sizes)
        .filter(|(_, size)| *size > 0)
        .map(|(check, _)| *check)
        .collect();
    assert_eq!(
        unjudged_checks, remaining_checks,
        "a check without evidence is listed"
    );
}

fn large_and_small_batches_keep_their_order(fixture: &mut Fixture) {
    const SMALL: usize = 100;
    const LARGE: usize = 48 * 1024;
    let account = fixture.account();
    let [older, newer] = [1, 2].map(|number| {
        fixture.clock.advance(Duration::from_secs(1));
        fixture
            .make
            .challenge(&account.context, address(number), fixture.now())
    });
    let batches = |challenge: &Challenge| block_on_ok(fixture.store().batches(challenge.check));
    // Each check alone is within the budget, both together exceed it. Each write updates the total of the previous one.
    for challenge in [&older, &newer] {
        let sizes = [SMALL, LARGE, SMALL, LARGE, LARGE, SMALL];
        let written_batches: Vec<_> = (1..)
            .zip(sizes)
            .map(|(number, size)| {
                let batch = fixture.make.batch(challenge, number, size, fixture.now());
                assert_eq!(
                    block_on_ok(fixture.store().append(batch.clone(), FOREVER)),
                    AppendOutcome::Stored
                );
                batch
            })
            .collect();
        assert_eq!(batches(challenge), written_batches);
    }
    eventually("the older check is evicted", || batches(&older).is_empty());
    assert_eq!(batches(&newer).len(), 6);
    let evict = || {
        block_on_ok(fixture.store().evict(
            fixture.now().saturating_add(Duration::from_secs(1)),
            Duration::ZERO,
            ALL,
        ))
    };
    assert_eq!((evict(), batches(&newer).len(), evict()), (1, 0, 0));
    // Evicted evidence no longer counts: the first check has its space again.
    for (number, size) in (1..).zip([LARGE, SMALL, LARGE, SMALL, LARGE, LARGE, LARGE]) {
        let batch = fixture.make.batch(&older, number, size, fixture.now());
        assert_eq!(
            block_on_ok(fixture.store().append(batch, FOREVER)),
            AppendOutcome::Stored
        );
    }
    assert_eq!(
        batches(&older).len(),
        7,
        "evicted evidence counts against the budget"
    );
}

fn network_evicts_its_own_evidence(fixture: &mut Fixture) {
    let account = fixture.account();
    let other_contexts: Vec<_> = (0..4).map(|_| fixture.context(&account.key)).collect();
    let visits: Vec<_> = (0..8)
        .map(|visit| visit_from(fixture, &account.context, visit, 2 * 1024))
        .collect();
    let has_evidence = |check: &CheckId| block_on_ok(fixture.store().batches(*check)).len() == 1;
    for contexts in [std::slice::from_ref(&account.context), &other_contexts] {
        for call in 0..2 * flood_calls() {
            visit_from(fixture, &contexts[call % contexts.len()], u8::MAX, FLOOD);
        }
        assert!(
            visits.iter().all(has_evidence),
            "one network has evicted the evidence of others"
        );
    }
}

fn shares_survive_reopening(fixture: &mut Fixture) {
    let account = fixture.account();
    let visits: Vec<_> = (0..8)
        .map(|visit| visit_from(fixture, &account.context, visit, 2 * 1024))
        .collect();
    for _ in 0..2 {
        for _ in 0..flood_calls() {
            visit_from(fixture, &account.context, u8::MAX, FLOOD);
        }
        let has_evidence =
            |check: &CheckId| block_on_ok(fixture.store().batches(*check)).len() == 1;
        assert!(
            visits.iter().all(has_evidence),
            "one network has evicted the evidence of others"
        );
        fixture.reopen();
    }
}

fn context_evicts_its_own_evidence(fixture: &mut Fixture) {
    let account = fixture.account();
    let flooded_context = fixture.context(&account.key);
    let visits: Vec<_> = (0..8)
        .map(|visit| visit_from(fixture, &account.context, visit, 2 * 1024))
        .collect();
    for call in 0..2 * flood_calls() {
        visit_from(
            fixture,
            &flooded_context,
            u8::try_from(call % 200).unwrap_or_default(),
            FLOOD,
        );
    }
    let has_evidence = |check: &CheckId| block_on_ok(fixture.store().batches(*check)).len() == 1;
    assert!(
        visits.iter().all(has_evidence),
        "one context has evicted the evidence of another"
    );
}

/// Size of a batch of a flood in bytes.
const FLOOD: usize = 8 * 1024;

/// Returns the number of flood batches that fill the budget.
fn flood_calls() -> usize {
    usize::try_from(EVIDENCE_BUDGET).unwrap_or(usize::MAX) / FLOOD
}

/// Opens a check of a visitor from `network`, with one evidence batch of `size` bytes.
fn visit_from(fixture: &Fixture, context: &Context, network: u8, size: usize) -> CheckId {
    fixture.clock.advance(Duration::from_secs(1));
    let challenge = fixture.make.challenge(context, address(1), fixture.now());
    let mut batch = fixture.make.batch(&challenge, 1, size, fixture.now());
    // As in the service, one network has a different hash in each context.
    let digest = context
        .id
        .as_str()
        .bytes()
        .fold([network; 16], |mut hash, byte| {
            hash.rotate_left(1);
            hash[0] = hash[0].wrapping_mul(31).wrapping_add(byte);
            hash
        });
    batch.call.network = NetworkHash(digest);
    assert_eq!(
        block_on_ok(fixture.store().append(batch, FOREVER)),
        AppendOutcome::Stored
    );
    challenge.check
}

/// Opens checks one second apart, oldest first, with batches of these numbers.
fn opened(fixture: &Fixture, account: &TestAccount, count: u32, batches: &[u8]) -> Vec<Challenge> {
    let open = |number| {
        fixture.clock.advance(Duration::from_secs(1));
        let challenge = fixture
            .make
            .challenge(&account.context, address(number), fixture.now());
        for batch in batches {
            append(fixture, &challenge, *batch, FOREVER);
        }
        challenge
    };
    (0..count).map(open).collect()
}

fn append(fixture: &Fixture, challenge: &Challenge, number: u8, keep_until: Timestamp) {
    let batch = fixture.make.batch(challenge, number, 100, fixture.now());
    assert_eq!(
        block_on_ok(fixture.store().append(batch, keep_until)),
        AppendOutcome::Stored
    );
}

fn names(challenges: &[Challenge]) -> Vec<CheckId> {
    challenges.iter().map(|challenge| challenge.check).collect()
}

fn judged_check_is_not_listed(fixture: &mut Fixture) {
    let account = fixture.account();
    let mut remaining_checks = opened(fixture, &account, 5, &[1, 2]);
    let end = fixture.now().saturating_add(Duration::from_secs(1));
    let unjudged_checks =
        |before, limit| block_on_ok(fixture.store().unjudged_checks(before, limit));
    assert_eq!(unjudged_checks(end, ALL), names(&remaining_checks));
    assert_eq!(
        unjudged_checks(remaining_checks[3].opened_at, ALL),
        names(&remaining_checks[..3]),
        "a check that was opened at that time is listed as earlier"
    );
    for place in [2, 0] {
        let judged_check = remaining_checks.remove(place);
        let evidence = || block_on_ok(fixture.store().batches(judged_check.check)).len();
        block_on_ok(fixture.store().mark_judged(judged_check.check));
        block_on_ok(fixture.store().mark_judged(judged_check.check));
        assert_eq!(
            (unjudged_checks(end, ALL), evidence()),
            (names(&remaining_checks), 2)
        );
        append(fixture, &judged_check, 3, FOREVER);
        assert_eq!(
            (unjudged_checks(end, ALL), evidence()),
            (names(&remaining_checks), 3),
            "a late batch lists a settled check again"
        );
    }
    assert_eq!(
        unjudged_checks(end, 2),
        names(&remaining_checks[..2]),
        "the oldest are not listed first"
    );
    block_on_ok(fixture.store().mark_judged(CheckId::from_bytes([9; 16])));
    assert_eq!(
        unjudged_checks(end, ALL),
        names(&remaining_checks),
        "settling a missing check changed the store"
    );
}

/// Returns `true` if both batches of a check remain, and `false` if none does.
fn has_both_batches(fixture: &Fixture, check: &Challenge) -> bool {
    match block_on_ok(fixture.store().batches(check.check)).len() {
        0 => false,
        2 => true,
        count => panic!("{count} of the two batches of a check remains"),
    }
}

fn eviction_removes_expired(fixture: &mut Fixture) {
    let account = fixture.account();
    let checks = opened(fixture, &account, 6, &[]);
    let now = fixture.now().saturating_add(Duration::from_secs(1));
    let second = Duration::from_secs(1);
    // The first two checks to expire were not opened first.
    let ends = [
        FOREVER,
        now.saturating_sub(second),
        FOREVER,
        FOREVER,
        now.saturating_sub(2 * second),
        now,
    ];
    for (check, keep_until) in checks.iter().zip(ends) {
        append(fixture, check, 1, keep_until);
        append(fixture, check, 2, keep_until);
    }
    block_on_ok(fixture.store().mark_judged(checks[1].check));
    block_on_ok(fixture.store().mark_judged(checks[3].check));
    let evict = |retention, limit| block_on_ok(fixture.store().evict(now, retention, limit));
    let has_evidence = || -> Vec<_> {
        let has_batches = |check| has_both_batches(fixture, check);
        checks.iter().map(has_batches).collect()
    };
    let since = |check: &Challenge| now.saturating_since(check.opened_at);
    assert_eq!(
        (evict(since(&checks[0]), 0), has_evidence()),
        (0, vec![true; 6])
    );
    assert_eq!(
        (evict(since(&checks[0]), 1), has_evidence()),
        (1, vec![true, true, true, true, false, true])
    );
    assert_eq!(
        (evict(since(&checks[3]), 2), has_evidence()),
        (2, vec![false, false, true, true, false, true])
    );
    assert_eq!(
        (evict(since(&checks[2]), ALL), has_evidence()),
        (0, vec![false, false, true, true, false, true])
    );
    assert_eq!(
        (evict(since(&checks[3]), ALL), has_evidence()),
        (1, vec![false, false, false, true, false, true])
    );
    let unjudged_checks = block_on_ok(fixture.store().unjudged_checks(now, ALL));
    assert_eq!(
        unjudged_checks,
        [checks[5].check],
        "an evicted check is listed"
    );
    assert_eq!(
        (evict(Duration::ZERO, ALL), has_evidence()),
        (2, vec![false; 6])
    );
    assert_eq!(evict(Duration::ZERO, ALL), 0, "a check was evicted twice");
}
