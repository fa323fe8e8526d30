//! Promises of `CheckStore`.

use super::cases;
use crate::block_on::block_on_ok;
use crate::fixture::{Fixture, THREADS, TestAccount, together, while_written};
use crate::generate::{address, bot, human};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use voight_domain::check::{CheckConclusion, ConcludeOutcome, GateRejection};
use voight_domain::metering::LedgerId;
use voight_domain::ports::Judgement;
use voight_domain::verdict::{Assessment, Event, EventKind, LayerKind, Verdict};
use voight_domain::vocabulary::CheckId;

cases![
    conclude_is_atomic,
    conclude_is_idempotent,
    conclude_once_under_concurrency,
    duplicate_input_is_rejected,
    rejected_check_adds_nothing,
    verdict_is_sticky,
    layer_change_is_recorded,
    contexts_are_apart,
    old_conclusions_are_purged,
    timeline_is_in_order,
];

/// Returns a completed check of the first address in the account's context.
fn check(fixture: &Fixture, account: &TestAccount, assessment: Assessment) -> CheckConclusion {
    fixture
        .make
        .conclusion(&account.context, address(1), assessment, fixture.now())
}

fn verdict(fixture: &Fixture, account: &TestAccount) -> Option<Verdict> {
    block_on_ok(fixture.store().verdict(&account.context.id, &address(1)))
}

fn timeline(fixture: &Fixture, account: &TestAccount) -> Vec<Event> {
    block_on_ok(
        fixture
            .store()
            .timeline(&account.context.id, &address(1), 1000),
    )
}

fn check_of(event: &Event) -> Option<CheckId> {
    match event.kind {
        EventKind::Judged { check, .. }
        | EventKind::Rejected { check, .. }
        | EventKind::LayerChanged { check, .. }
        | EventKind::ClusterLimitExceeded { check, .. } => Some(check),
        EventKind::Overridden { .. } | EventKind::Replayed { .. } => None,
    }
}

fn conclude_is_atomic(fixture: &mut Fixture) {
    let account = fixture.account();
    let checks: Vec<_> = (0..12).map(|_| check(fixture, &account, human())).collect();
    let next = AtomicUsize::new(0);
    let write = |_| {
        while let Some(check) = checks.get(next.fetch_add(1, Ordering::SeqCst)) {
            assert_eq!(
                fixture.conclude(check),
                ConcludeOutcome::Done(check.receipt.clone())
            );
        }
    };
    while_written(write, || read_whole_steps(fixture, &account, &checks));
    assert_eq!(
        verdict(fixture, &account).map(|verdict| verdict.unverified.conclusive_checks),
        Some(12)
    );
    let duplicate_check = CheckConclusion {
        inputs: checks[0].inputs.clone(),
        ..check(fixture, &account, human())
    };
    assert_eq!(
        fixture.conclude(&duplicate_check),
        ConcludeOutcome::Rejected(GateRejection::Duplicate),
        "the inputs were not stored"
    );
}

/// Checks that verdict and timeline contain exactly the concluded checks at any moment.
fn read_whole_steps(fixture: &Fixture, account: &TestAccount, checks: &[CheckConclusion]) {
    let used_challenges = || {
        checks
            .iter()
            .filter(|check| block_on_ok(fixture.store().concluded(check.check)).is_some())
            .count()
    };
    let ordinal = || {
        verdict(fixture, account).map_or(0, |verdict| verdict.unverified.conclusive_checks as usize)
    };
    let used_before = used_challenges();
    let counted_before = ordinal();
    let events = timeline(fixture, account).len();
    let counted_after = ordinal();
    let used_after = used_challenges();
    assert!(
        used_before <= counted_before,
        "{used_before} challenges are used and {counted_before} checks are in the verdict"
    );
    assert!(
        counted_before <= events,
        "{counted_before} checks are in the verdict and {events} in the timeline"
    );
    assert!(
        events <= counted_after,
        "{events} checks are in the timeline and {counted_after} in the verdict"
    );
    assert!(
        counted_after <= used_after,
        "{counted_after} checks are in the verdict and {used_after} challenges are used"
    );
}

fn conclude_is_idempotent(fixture: &mut Fixture) {
    let account = fixture.account();
    let first = check(fixture, &account, human());
    assert_eq!(
        fixture.conclude(&first),
        ConcludeOutcome::Done(first.receipt.clone())
    );
    let state_before = (verdict(fixture, &account), timeline(fixture, &account));
    fixture.clock.advance(Duration::from_secs(5));
    let receipt = Some(
        fixture
            .make
            .receipt(&account.context, address(1), fixture.now()),
    );
    let repetition = CheckConclusion {
        receipt,
        ..first.clone()
    };
    assert_eq!(
        fixture.conclude(&repetition),
        ConcludeOutcome::Repeated(first.receipt.clone()),
        "another receipt"
    );
    assert_eq!(
        (verdict(fixture, &account), timeline(fixture, &account)),
        state_before,
        "the repetition changed the store"
    );
    let stored_conclusion = block_on_ok(fixture.store().concluded(first.check));
    assert_eq!(
        stored_conclusion.map(|conclusion| conclusion.receipt),
        Some(first.receipt)
    );
}

fn conclude_once_under_concurrency(fixture: &mut Fixture) {
    let account = fixture.account();
    let conclusion = check(fixture, &account, human());
    let outcomes = together(|_| {
        let receipt = Some(
            fixture
                .make
                .receipt(&account.context, address(1), fixture.now()),
        );
        fixture.conclude(&CheckConclusion {
            receipt,
            ..conclusion.clone()
        })
    });
    let mut new_receipts = Vec::new();
    let mut repeated_receipts = Vec::new();
    for outcome in outcomes {
        match outcome {
            ConcludeOutcome::Done(receipt) => new_receipts.push(receipt),
            ConcludeOutcome::Repeated(receipt) => repeated_receipts.push(receipt),
            outcome => panic!("not concluded: {outcome:?}"),
        }
    }
    let [Some(first_receipt)] = new_receipts.as_slice() else {
        panic!("not one conclusion: {new_receipts:?}");
    };
    assert!(
        repeated_receipts
            .iter()
            .all(|receipt| receipt.as_ref() == Some(first_receipt)),
        "more than one receipt: {repeated_receipts:?}"
    );
    assert_eq!(
        verdict(fixture, &account).map(|verdict| verdict.unverified.conclusive_checks),
        Some(1)
    );
    assert_eq!(timeline(fixture, &account).len(), 1);
}

fn duplicate_input_is_rejected(fixture: &mut Fixture) {
    let account = fixture.account();
    let recording = fixture.make.input();
    let outcomes = together(|_| {
        // Each check shares one recording with all others, but also has one of its own.
        let inputs = vec![fixture.make.input(), recording];
        fixture.conclude(&CheckConclusion {
            inputs,
            ..check(fixture, &account, human())
        })
    });
    let duplicate_count = outcomes
        .iter()
        .filter(|outcome| **outcome == ConcludeOutcome::Rejected(GateRejection::Duplicate))
        .count();
    assert_eq!(duplicate_count, THREADS - 1, "{outcomes:?}");
    let elsewhere = TestAccount {
        context: fixture.context(&account.key),
        ..account
    };
    let check_elsewhere = CheckConclusion {
        inputs: vec![recording],
        ..check(fixture, &elsewhere, human())
    };
    assert!(
        matches!(fixture.conclude(&check_elsewhere), ConcludeOutcome::Done(_)),
        "contexts share their inputs"
    );
}

fn rejected_check_adds_nothing(fixture: &mut Fixture) {
    let account = fixture.account();
    fixture.conclude(&check(fixture, &account, human()));
    let verdict_before = verdict(fixture, &account);
    let judgement = Judgement::Rejected(GateRejection::ImpossibleTiming);
    let rejected_check = CheckConclusion {
        judgement,
        ..check(fixture, &account, bot())
    };
    assert_eq!(
        fixture.conclude(&rejected_check),
        ConcludeOutcome::Rejected(GateRejection::ImpossibleTiming)
    );
    assert_eq!(
        verdict(fixture, &account),
        verdict_before,
        "a rejected check changed the verdict"
    );
    let kind = EventKind::Rejected {
        check: rejected_check.check,
        reason: GateRejection::ImpossibleTiming,
    };
    assert_eq!(
        timeline(fixture, &account).last().map(|event| &event.kind),
        Some(&kind)
    );
    let retry = CheckConclusion {
        judgement: Judgement::Assessed(human()),
        ..rejected_check.clone()
    };
    assert_eq!(
        fixture.conclude(&retry),
        ConcludeOutcome::Rejected(GateRejection::ChallengeUsed),
        "the challenge is not used"
    );
    assert_eq!(verdict(fixture, &account), verdict_before);
    let copy = CheckConclusion {
        inputs: rejected_check.inputs,
        ..check(fixture, &account, human())
    };
    assert_eq!(
        fixture.conclude(&copy),
        ConcludeOutcome::Rejected(GateRejection::Duplicate),
        "its inputs are not stored"
    );
}

fn verdict_is_sticky(fixture: &mut Fixture) {
    let account = fixture.account();
    fixture.conclude(&check(fixture, &account, bot()));
    let flagged_verdict = verdict(fixture, &account);
    let first = flagged_verdict.and_then(|verdict| verdict.unverified.first_flagged_at);
    assert_eq!(
        first,
        Some(fixture.now()),
        "declared automation is not flagged"
    );
    for day in 0..20 {
        fixture.clock.advance(Duration::from_hours(24));
        let layer = if day % 2 == 0 {
            LayerKind::Unverified
        } else {
            LayerKind::Owned
        };
        fixture.conclude(&CheckConclusion {
            layer,
            ..check(fixture, &account, human())
        });
        let Some(now) = verdict(fixture, &account) else {
            panic!("the verdict is missing")
        };
        assert!(
            now.unverified.flagged,
            "the flag is missing after {day} days"
        );
        assert_eq!((now.epoch, now.unverified.first_flagged_at), (0, first));
        assert!(!now.owned.flagged, "the flag is in the other layer");
    }
}

fn layer_change_is_recorded(fixture: &mut Fixture) {
    let account = fixture.account();
    let owned_check = || CheckConclusion {
        layer: LayerKind::Owned,
        ..check(fixture, &account, human())
    };
    fixture.conclude(&check(fixture, &account, bot()));
    let first = owned_check();
    let second = owned_check();
    fixture.conclude(&first);
    fixture.conclude(&second);
    let layer_change = EventKind::LayerChanged {
        check: first.check,
        unverified_flagged: true,
        owned_flagged: false,
    };
    let checks: Vec<_> = timeline(fixture, &account)
        .iter()
        .skip(1)
        .map(check_of)
        .collect();
    assert_eq!(
        checks,
        [Some(first.check), Some(first.check), Some(second.check)],
        "the layer change is recorded once"
    );
    assert_eq!(timeline(fixture, &account)[2].kind, layer_change);
    assert_eq!(
        fixture.conclude(&first),
        ConcludeOutcome::Repeated(first.receipt.clone())
    );
    assert_eq!(
        timeline(fixture, &account).len(),
        4,
        "a repetition changes no layer"
    );
}

fn contexts_are_apart(fixture: &mut Fixture) {
    let account = fixture.account();
    let second = TestAccount {
        context: fixture.context(&account.key),
        client: account.client.clone(),
        key: account.key.clone(),
    };
    fixture.conclude(&check(fixture, &second, human()));
    let other_client = fixture.account();
    let state_before = (verdict(fixture, &second), timeline(fixture, &second));
    fixture.conclude(&check(fixture, &account, bot()));
    assert!(verdict(fixture, &account).is_some_and(|verdict| verdict.unverified.flagged));
    assert_eq!(
        (verdict(fixture, &second), timeline(fixture, &second)),
        state_before
    );
    assert_eq!(
        (
            verdict(fixture, &other_client),
            timeline(fixture, &other_client)
        ),
        (None, vec![])
    );
    for each in [&account, &second, &other_client] {
        let records = block_on_ok(fixture.store().verdicts(&each.context.id, None, 10));
        let own_verdicts: Vec<_> = verdict(fixture, each).into_iter().collect();
        assert_eq!(
            records
                .iter()
                .map(|record| record.verdict)
                .collect::<Vec<_>>(),
            own_verdicts,
            "listed in a context"
        );
    }
    let rows = block_on_ok(
        fixture
            .store()
            .rows(LedgerId::live(account.client.id), 0, 10),
    );
    assert_eq!(rows, [], "a check is not a lookup");
}

fn old_conclusions_are_purged(fixture: &mut Fixture) {
    let account = fixture.account();
    let conclude = |count: usize| -> Vec<_> {
        fixture.clock.advance(Duration::from_hours(1));
        let checks: Vec<_> = (0..count)
            .map(|_| check(fixture, &account, human()))
            .collect();
        for check in &checks {
            assert!(matches!(fixture.conclude(check), ConcludeOutcome::Done(_)));
        }
        checks
    };
    let old = conclude(3);
    let young = conclude(2);
    let state_before = (verdict(fixture, &account), timeline(fixture, &account));
    let sweep = |opened_before, limit| block_on_ok(fixture.store().sweep(opened_before, limit));
    let stored_count = |checks: &[CheckConclusion]| {
        checks
            .iter()
            .filter(|check| block_on_ok(fixture.store().concluded(check.check)).is_some())
            .count()
    };
    assert_eq!(
        (sweep(fixture.now(), 0), sweep(fixture.now(), 2)),
        (0, 2),
        "not removed in batches"
    );
    assert_eq!((stored_count(&old), stored_count(&young)), (1, 2));
    assert_eq!(
        (sweep(fixture.now(), 2), sweep(fixture.now(), 2)),
        (1, 0),
        "not exactly the older ones were removed"
    );
    assert_eq!((stored_count(&old), stored_count(&young)), (0, 2));
    assert_eq!(
        (verdict(fixture, &account), timeline(fixture, &account)),
        state_before
    );
    let copy = CheckConclusion {
        inputs: old[0].inputs.clone(),
        ..check(fixture, &account, human())
    };
    assert_eq!(
        fixture.conclude(&copy),
        ConcludeOutcome::Rejected(GateRejection::Duplicate),
        "an input was deleted"
    );
}

fn timeline_is_in_order(fixture: &mut Fixture) {
    let account = fixture.account();
    let mut written_checks = Vec::new();
    for round in 0..15_u32 {
        // Several events in one millisecond, and events after the clock was set back, keep their order.
        if round % 3 == 0 {
            let back = Duration::from_secs(u64::from(round));
            fixture.clock.set(fixture.now().saturating_sub(back));
        }
        let conclusion = check(fixture, &account, if round == 7 { bot() } else { human() });
        written_checks.push(Some(conclusion.check));
        fixture.conclude(&conclusion);
        let events = timeline(fixture, &account);
        assert_eq!(events.last().map(|event| event.at), Some(fixture.now()));
        assert_eq!(
            events.iter().map(check_of).collect::<Vec<_>>(),
            written_checks
        );
    }
    let latest = block_on_ok(
        fixture
            .store()
            .timeline(&account.context.id, &address(1), 4),
    );
    assert_eq!(
        latest.iter().map(check_of).collect::<Vec<_>>(),
        written_checks[11..]
    );
}
