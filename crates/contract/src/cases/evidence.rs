//! Promises of `EvidenceStore`.

use super::cases;
use crate::block_on::done;
use crate::fixture::{EVIDENCE_BUDGET, Fixture, THREADS, eventually, together};
use crate::make::address;
use std::time::Duration;
use voight_domain::ports::Appended;

cases![batch_number_is_kept_once, evidence_is_bounded];

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
