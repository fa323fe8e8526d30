//! Promises of `MaintenanceStore`.

use super::cases;
use crate::block_on::block_on_ok;
use crate::fixture::{FOREVER, Fixture, TestAccount, together, while_written};
use crate::generate::{address, audit, bot, erasure, human, overrule};
use std::time::Duration;
use voight_domain::metering::LookupRequest;
use voight_domain::ports::{ScrubPass, ScrubProgress};
use voight_domain::registry::{AuditAction, KeyChange};
use voight_domain::verdict::OverrideTo;

cases![
    scrub_wraps_around needs OnlineVerify,
    scrub_raises_no_false_alarm needs OnlineVerify,
    the_only_node_has_the_turn,
    one_node_has_the_turn needs MultiNode,
];

fn scrub_wraps_around(fixture: &mut Fixture) {
    let empty = rows(&round(fixture, 100));
    let account = fixture.account();
    write(fixture, &account, 1);
    let pass = round(fixture, 1000);
    assert!(rows(&pass) > empty + 20, "a write is not visible");
    assert_eq!((pass.damaged, pass.finished_at), (0, fixture.now()));
    for records in [1, 2, 7] {
        fixture.clock.advance(Duration::from_secs(1));
        let later_pass = round(fixture, records);
        assert_eq!(
            later_pass,
            ScrubPass {
                finished_at: fixture.now(),
                ..pass.clone()
            },
            "{records} records per batch"
        );
        assert_eq!(
            block_on_ok(async { fixture.store().status() }).last_scrub,
            Some(later_pass)
        );
    }
}

/// Adds, changes and removes all kinds of records continuously during a scrub.
fn scrub_raises_no_false_alarm(fixture: &mut Fixture) {
    const WRITES: u32 = 12;
    let shared_account = fixture.account();
    let write_on = |thread: usize| {
        let own_account = fixture.account();
        for number in 0..WRITES {
            write(
                fixture,
                if number % 2 == 0 {
                    &own_account
                } else {
                    &shared_account
                },
                number * 2 + u32::from(thread < 4),
            );
        }
    };
    let verify = || assert_eq!(scrub(fixture, 3).damage, Vec::<String>::new());
    while_written(write_on, verify);
    while scrub(fixture, 3).finished.is_none() {}
    assert_eq!(round(fixture, 5).damaged, 0);
}

fn the_only_node_has_the_turn(fixture: &mut Fixture) {
    let acquisitions = together(|_| block_on_ok(fixture.store().try_acquire_lease()));
    assert!(
        acquisitions.iter().all(|has_it| *has_it),
        "a second node has the lease: {acquisitions:?}"
    );
}

/// Tests the leader lease with two nodes. They acquire it concurrently, then alternately under a clock that is far ahead;
/// then the leader is closed.
fn one_node_has_the_turn(fixture: &mut Fixture) {
    let mut nodes = vec![fixture.another(), fixture.another()];
    let acquisitions = together(|thread| {
        (
            thread % 2,
            block_on_ok(nodes[thread % 2].try_acquire_lease()),
        )
    });
    let leader = acquisitions
        .iter()
        .find(|(_, has_it)| *has_it)
        .map_or_else(|| panic!("no node has the lease"), |(node, _)| *node);
    assert!(
        acquisitions
            .iter()
            .all(|(node, has_it)| *has_it == (*node == leader)),
        "the leader does not renew its lease: {acquisitions:?}"
    );
    fixture.clock.advance(Duration::from_hours(1));
    let has_it: Vec<_> = (0..2)
        .map(|node| block_on_ok(nodes[node].try_acquire_lease()))
        .collect();
    assert!(
        has_it[leader] && !has_it[1 - leader],
        "a clock that is ahead acquires the lease of another node"
    );
    drop(nodes.remove(leader));
    assert!(
        block_on_ok(nodes[0].try_acquire_lease()),
        "a closed node keeps the lease"
    );
}

fn scrub(fixture: &Fixture, records: usize) -> ScrubProgress {
    match fixture.store().scrub(records) {
        Ok(Some(progress)) => progress,
        other => panic!("the store was not scrubbed: {other:?}"),
    }
}

/// Runs a full pass without concurrent writes.
fn round(fixture: &Fixture, records: usize) -> ScrubPass {
    let mut looked_at = 0;
    loop {
        let progress = scrub(fixture, records);
        assert_eq!(progress.damage, Vec::<String>::new());
        assert!(
            progress.verified <= records as u64,
            "{records} records were requested: {progress:?}"
        );
        looked_at += progress.verified;
        assert_eq!(progress.verified_in_pass, looked_at);
        if let Some(round) = progress.finished {
            assert_eq!(rows(&round), looked_at);
            return round;
        }
    }
}

fn rows(round: &ScrubPass) -> u64 {
    round.tables.iter().map(|table| table.rows).sum()
}

/// Makes one write of every kind.
fn write(fixture: &Fixture, account: &TestAccount, number: u32) {
    let store = fixture.store();
    let now = fixture.now();
    let context = &account.context;
    let address = address(number);
    let idempotency = Some(fixture.make.idempotency());
    fixture.answer(&LookupRequest {
        idempotency,
        ..fixture.request(account, address)
    });
    let other_context = fixture.context(&account.key);
    fixture.answer(&fixture.make.lookup(&account.key, &other_context, address));
    let assessment = if number.is_multiple_of(2) {
        bot()
    } else {
        human()
    };
    fixture.conclude(&fixture.make.conclusion(context, address, assessment, now));
    let entry = |action| audit(action, &number, now);
    let change = overrule(context, address, OverrideTo::Bot);
    block_on_ok(store.override_verdict(change, entry(AuditAction::VerdictOverridden)));
    let rotation = KeyChange::Rotate {
        secret: fixture.make.secret(),
        overlap_until: Some(now),
    };
    block_on_ok(store.change_key(
        fixture.key(&account.client).id,
        rotation,
        entry(AuditAction::KeyRotated),
    ));
    if number.is_multiple_of(5) {
        block_on_ok(store.erase(&erasure(address, [context, &other_context])));
    }
    let challenge = fixture.make.challenge(context, address, now);
    for batch in 1..=2 {
        block_on_ok(store.append(fixture.make.batch(&challenge, batch, 2000, now), FOREVER));
    }
    if number.is_multiple_of(3) {
        block_on_ok(store.mark_judged(challenge.check));
    }
    fixture.clock.advance(Duration::from_secs(1));
    let age = Duration::from_secs(20);
    block_on_ok(store.sweep(now.saturating_sub(age), 3));
    block_on_ok(store.evict(now, age, 3));
}
