//! Promises of `EvidenceStore`.

use super::cases;
use crate::block_on::done;
use crate::fixture::{ALL, Account, EVIDENCE_BUDGET, Fixture, THREADS, eventually, together};
use crate::make::address;
use std::time::Duration;
use voight_domain::check::Challenge;
use voight_domain::ports::Appended;
use voight_domain::vocabulary::CheckId;

cases![batch_number_is_kept_once, evidence_is_bounded, settled_check_is_not_named, eviction_takes_the_oldest,];

fn batch_number_is_kept_once(fixture: &mut Fixture) {
    let account = fixture.account();
    let challenge = fixture.make.challenge(&account.context, address(1), fixture.now());
    let mut kept_batches = Vec::new();
    for number in [2, 1, 3] {
        let tries = together(|_| {
            let batch = fixture.make.batch(&challenge, number, 100, fixture.now());
            (done(fixture.store().append(batch.clone())), batch)
        });
        let kept: Vec<_> = tries.iter().filter(|(outcome, _)| *outcome == Appended::Kept).collect();
        let [(_, batch)] = kept[..] else { panic!("of {THREADS} batches {} are kept", kept.len()) };
        kept_batches.push(batch.clone());
        kept_batches.sort_by_key(|batch| batch.number);
        assert_eq!(done(fixture.store().batches(challenge.check)), kept_batches);
    }
}

fn evidence_is_bounded(fixture: &mut Fixture) {
    const SIZE: usize = 8 * 1024;
    let checks = 3 * EVIDENCE_BUDGET / (2 * SIZE as u64);
    let account = fixture.account();
    let opened: Vec<_> = (0..checks)
        .map(|_| {
            fixture.clock.advance(Duration::from_secs(1));
            let challenge = fixture.make.challenge(&account.context, address(1), fixture.now());
            for number in 1..=2 {
                let batch = fixture.make.batch(&challenge, number, SIZE, fixture.now());
                assert_eq!(done(fixture.store().append(batch)), Appended::Kept);
            }
            challenge.check
        })
        .collect();
    let sizes = || -> Vec<_> { opened.iter().map(|check| done(fixture.store().batches(*check)).len()).collect() };
    let budget = usize::try_from(EVIDENCE_BUDGET).unwrap_or(usize::MAX);
    eventually("evidence is within its budget", || sizes().iter().sum::<usize>() * SIZE <= budget);
    let sizes = sizes();
    assert!(
        sizes.is_sorted() && sizes.iter().all(|size| [0, 2].contains(size)),
        "not the oldest went whole: {sizes:?}"
    );
    let kept = sizes.iter().sum::<usize>() * SIZE;
    assert!(kept >= budget / 2, "of {budget} bytes only {kept} are used");
    let unsettled = done(fixture.store().unsettled(fixture.now().plus(Duration::from_secs(1)), opened.len()));
    let left: Vec<_> = opened.iter().zip(sizes).filter(|(_, size)| *size > 0).map(|(check, _)| *check).collect();
    assert_eq!(unsettled, left, "a check without evidence is named");
}

/// Checks with two batches each, opened a second apart, oldest first.
fn opened(fixture: &Fixture, account: &Account, count: u32) -> Vec<Challenge> {
    let open = |number| {
        fixture.clock.advance(Duration::from_secs(1));
        let challenge = fixture.make.challenge(&account.context, address(number), fixture.now());
        append(fixture, &challenge, 1);
        append(fixture, &challenge, 2);
        challenge
    };
    (0..count).map(open).collect()
}

fn append(fixture: &Fixture, challenge: &Challenge, number: u8) {
    let batch = fixture.make.batch(challenge, number, 100, fixture.now());
    assert_eq!(done(fixture.store().append(batch)), Appended::Kept);
}

fn names(challenges: &[Challenge]) -> Vec<CheckId> {
    challenges.iter().map(|challenge| challenge.check).collect()
}

fn settled_check_is_not_named(fixture: &mut Fixture) {
    let account = fixture.account();
    let mut left = opened(fixture, &account, 5);
    let end = fixture.now().plus(Duration::from_secs(1));
    let unsettled = |before, limit| done(fixture.store().unsettled(before, limit));
    assert_eq!(unsettled(end, ALL), names(&left));
    assert_eq!(unsettled(left[3].opened_at, ALL), names(&left[..3]), "what was opened at that time is not before it");
    for place in [2, 0] {
        let settled = left.remove(place);
        let evidence = || done(fixture.store().batches(settled.check)).len();
        done(fixture.store().settle(settled.check));
        done(fixture.store().settle(settled.check));
        assert_eq!((unsettled(end, ALL), evidence()), (names(&left), 2));
        append(fixture, &settled, 3);
        assert_eq!((unsettled(end, ALL), evidence()), (names(&left), 3), "a late batch brings a settled check back");
    }
    assert_eq!(unsettled(end, 2), names(&left[..2]), "not the oldest are named first");
    done(fixture.store().settle(CheckId::from_bytes([9; 16])));
    assert_eq!(unsettled(end, ALL), names(&left), "settling what is not there has changed something");
}

fn eviction_takes_the_oldest(fixture: &mut Fixture) {
    let account = fixture.account();
    let checks = opened(fixture, &account, 6);
    let end = fixture.now().plus(Duration::from_secs(1));
    done(fixture.store().settle(checks[1].check));
    done(fixture.store().settle(checks[4].check));
    let evict = |before, limit| done(fixture.store().evict(before, limit));
    let kept = || -> Vec<_> {
        let holds = |check: &Challenge| match done(fixture.store().batches(check.check)).len() {
            0 => false,
            2 => true,
            some => panic!("of a check's two batches {some} is left"),
        };
        checks.iter().map(holds).collect()
    };
    assert_eq!((evict(checks[0].opened_at, ALL), kept()), (0, vec![true; 6]), "it was not opened before its opening");
    assert_eq!((evict(end, 2), kept()), (2, vec![false, false, true, true, true, true]));
    assert_eq!((evict(checks[3].opened_at, ALL), kept()), (1, vec![false, false, false, true, true, true]));
    let unsettled = done(fixture.store().unsettled(end, ALL));
    assert_eq!(unsettled, [checks[3].check, checks[5].check], "an evicted check is named");
    assert_eq!((evict(end, 0), kept()), (0, vec![false, false, false, true, true, true]));
    assert_eq!((evict(end, ALL), kept()), (3, vec![false; 6]));
    assert_eq!(evict(end, ALL), 0, "a check was evicted twice");
}
