//! Idempotency keys of lookups.

use super::super::cases;
use super::recorded;
use crate::block_on::block_on_ok;
use crate::fixture::{Fixture, THREADS, TestAccount, together};
use crate::generate::{address, audit, bot, overrule};
use crate::ledger::lookups;
use std::time::Duration;
use voight_domain::metering::{IdempotencyInput, LookupOutcome, LookupRequest};
use voight_domain::registry::AuditAction;
use voight_domain::verdict::{DecidedBy, Detail, OverrideTo, Status};
use voight_domain::vocabulary::Environment;

cases![
    idempotent_request_is_replayed,
    retry_replays_the_detail,
    idempotency_mismatch_is_rejected,
    idempotency_is_shared_across_environments,
    idempotency_record_expires,
    idempotency_record_lasts_its_last_hour,
];

fn idempotent_request_is_replayed(fixture: &mut Fixture) {
    let account = fixture.account();
    let idempotency = Some(fixture.make.idempotency());
    let outcomes = together(|_| {
        // Each attempt has its own nonce, as in the service, which draws one per request.
        fixture.answer(&LookupRequest {
            idempotency,
            ..fixture.request(&account, address(1))
        })
    });
    let first = outcomes
        .iter()
        .copied()
        .find(|outcome| matches!(outcome, LookupOutcome::Recorded(..)));
    let Some(LookupOutcome::Recorded(first, _)) = first else {
        panic!("no attempt was recorded: {outcomes:?}")
    };
    let replay_count = outcomes
        .iter()
        .filter(|outcome| **outcome == LookupOutcome::Replayed(first))
        .count();
    assert_eq!(replay_count, THREADS - 1, "{outcomes:?}");
    fixture.conclude(
        &fixture
            .make
            .conclusion(&account.context, address(1), bot(), fixture.now()),
    );
    let outcome = fixture.answer(&LookupRequest {
        idempotency,
        ..fixture.request(&account, address(1))
    });
    assert_eq!(
        outcome,
        LookupOutcome::Replayed(first),
        "the replay differs from the first response"
    );
    assert_eq!(lookups(&fixture.ledger(account.client.id)).len(), 1);
}

fn retry_replays_the_detail(fixture: &mut Fixture) {
    let account = fixture.account();
    fixture.conclude(
        &fixture
            .make
            .conclusion(&account.context, address(1), bot(), fixture.now()),
    );
    let idempotency = Some(fixture.make.idempotency());
    let ask = |idempotency| {
        fixture.answer(&LookupRequest {
            idempotency,
            is_detailed: true,
            ..fixture.request(&account, address(1))
        })
    };
    let first = recorded(ask(idempotency));
    let summary = |detail: Option<Detail>| detail.map(|detail| (detail.status, detail.decided_by));
    assert_eq!(
        summary(first.detail),
        Some((Status::Bot, Some(DecidedBy::Checks)))
    );
    let entry = audit(
        AuditAction::VerdictOverridden,
        &account.context.id,
        fixture.now(),
    );
    block_on_ok(fixture.store().override_verdict(
        overrule(&account.context, address(1), OverrideTo::Human),
        entry,
    ));
    assert_eq!(
        ask(idempotency),
        LookupOutcome::Replayed(first),
        "the replay differs from the first detail"
    );
    let plain = fixture.answer(&LookupRequest {
        idempotency,
        ..fixture.request(&account, address(1))
    });
    assert_eq!(
        plain,
        LookupOutcome::IdempotencyKeyReused,
        "a detail was replayed as a plain answer"
    );
    assert_eq!(
        summary(recorded(ask(None)).detail),
        Some((Status::Human, Some(DecidedBy::Operator)))
    );
    assert_eq!(
        recorded(fixture.answer(&fixture.request(&account, address(1)))).detail,
        None
    );
}

fn idempotency_mismatch_is_rejected(fixture: &mut Fixture) {
    let account = fixture.account();
    let other_account = fixture.account();
    let idempotency = fixture.make.idempotency();
    let other_idempotency = IdempotencyInput {
        fingerprint: fixture.make.idempotency().fingerprint,
        ..idempotency
    };
    let ask = |idempotency, account| {
        fixture.answer(&LookupRequest {
            idempotency: Some(idempotency),
            ..fixture.request(account, address(1))
        })
    };
    recorded(ask(idempotency, &account));
    assert_eq!(
        ask(other_idempotency, &account),
        LookupOutcome::IdempotencyKeyReused
    );
    assert_eq!(lookups(&fixture.ledger(account.client.id)).len(), 1);
    recorded(ask(other_idempotency, &other_account));

    let registration = fixture.make.idempotency();
    let context = fixture.make.context(&account.key, fixture.now());
    let entry = audit(AuditAction::ContextRegistered, &context.id, fixture.now());
    block_on_ok(
        fixture
            .store()
            .register_context(context, Some(registration), entry),
    );
    assert_eq!(
        ask(registration, &account),
        LookupOutcome::IdempotencyKeyReused,
        "a registration was replayed as a lookup"
    );
}

fn idempotency_is_shared_across_environments(fixture: &mut Fixture) {
    let live = fixture.account();
    let key = fixture.issue(
        fixture
            .make
            .key(live.client.id, Environment::Sandbox, fixture.now()),
    );
    let context = fixture.context(&key);
    for round in 1..=10 {
        let idempotency = fixture.make.idempotency();
        let other_idempotency = IdempotencyInput {
            fingerprint: fixture.make.idempotency().fingerprint,
            ..idempotency
        };
        let outcomes = together(|thread| {
            let request = match thread % 2 {
                0 => LookupRequest {
                    idempotency: Some(idempotency),
                    ..fixture.request(&live, address(1))
                },
                _ => LookupRequest {
                    idempotency: Some(other_idempotency),
                    ..fixture.make.lookup(&key, &context, address(1))
                },
            };
            fixture.answer(&request)
        });
        let recorded_count = outcomes
            .iter()
            .filter(|outcome| matches!(outcome, LookupOutcome::Recorded(..)))
            .count();
        let mismatch_count = outcomes
            .iter()
            .filter(|outcome| matches!(outcome, LookupOutcome::IdempotencyKeyReused))
            .count();
        assert_eq!(
            (recorded_count, mismatch_count),
            (1, THREADS / 2),
            "round {round}: {outcomes:?}"
        );
    }
}

fn idempotency_record_expires(fixture: &mut Fixture) {
    let account = fixture.account();
    let idempotency = Some(fixture.make.idempotency());
    let ask = |idempotency| {
        fixture.answer(&LookupRequest {
            idempotency,
            ..fixture.request(&account, address(1))
        })
    };
    let first = recorded(ask(idempotency));
    fixture
        .clock
        .advance(Duration::from_hours(24) - Duration::from_millis(1));
    assert_eq!(ask(idempotency), LookupOutcome::Replayed(first));
    fixture.clock.advance(Duration::from_millis(1));
    let reused_key = idempotency.map(|idempotency| IdempotencyInput {
        fingerprint: fixture.make.idempotency().fingerprint,
        ..idempotency
    });
    let second = recorded(ask(reused_key));
    assert_ne!(second.seq, first.seq);
    assert_eq!(
        ask(reused_key),
        LookupOutcome::Replayed(second),
        "the idempotency key was not available again"
    );
}

/// Tests the last hour of an idempotency record. Stores group the records of an hour, and purge old ones with new ones.
fn idempotency_record_lasts_its_last_hour(fixture: &mut Fixture) {
    const DAY: Duration = Duration::from_hours(24);
    const MILLI: Duration = Duration::from_millis(1);
    /// More than the records of the hour, each of which a new record may purge.
    const NEWER: u32 = 12;
    let account = fixture.account();
    let start = fixture.now();
    let mut stored_lookups = Vec::new();
    for minutes in [0, 20, 40, 59] {
        fixture
            .clock
            .set(start.saturating_add(Duration::from_mins(minutes)));
        let request = LookupRequest {
            idempotency: Some(fixture.make.idempotency()),
            ..fixture.request(&account, address(1))
        };
        let lookup = recorded(fixture.answer(&request));
        stored_lookups.push((
            request,
            lookup,
            fixture.now().saturating_add(DAY).saturating_sub(MILLI),
        ));
    }
    let replay_all = |when: &str| {
        for (request, answered, last) in &stored_lookups {
            fixture.clock.set(*last);
            assert_eq!(
                fixture.answer(request),
                LookupOutcome::Replayed(*answered),
                "{when}"
            );
        }
    };
    for (.., last) in &stored_lookups {
        fixture.clock.set(*last);
        newer(fixture, &account, NEWER);
        let is_alive = |(request, answered, end): &(LookupRequest, _, _)| {
            fixture.now() > *end || fixture.answer(request) == LookupOutcome::Replayed(*answered)
        };
        assert!(
            stored_lookups.iter().all(is_alive),
            "an idempotency record was removed before its expiry"
        );
    }
    // The clock is one day past the expiry of the last record, and is then set back.
    if let Some((.., last)) = stored_lookups.last() {
        fixture.clock.set(last.saturating_add(DAY));
        newer(fixture, &account, NEWER);
    }
    replay_all("an earlier clock advance removed an idempotency record");
}

/// Does lookups with new idempotency keys.
fn newer(fixture: &Fixture, account: &TestAccount, count: u32) {
    for number in 0..count {
        let request = LookupRequest {
            idempotency: Some(fixture.make.idempotency()),
            ..fixture.request(account, address(2 + number))
        };
        recorded(fixture.answer(&request));
    }
}
