//! Checks from the opening to the receipt.

use crate::services::fixture::{ADDRESS, Fixture, call, opening, person, robot};
use std::time::Duration;
use voight_domain::check::{CHECK_TTL, ChallengeStep, GateRejection, RECEIPT_TYPE, SESSION_TTL};
use voight_domain::ports::Clock;
use voight_domain::registry::Actor;
use voight_domain::registry::ContextChange;
use voight_domain::services::{
    CheckError, CheckedVerdict, CreateVouchedSession, OpenedCheck, SubmitEvidence,
};
use voight_domain::verdict::{LayerKind, Status};
use voight_domain::{CheckId, ContextId, Environment};
use voight_support::poll_now;

fn submit(
    bench: &Fixture,
    opened_check: &OpenedCheck,
    body: String,
) -> Result<Option<ChallengeStep>, CheckError> {
    let solution = Fixture::solve(opened_check);
    let challenge = poll_now(bench.checks.authorise_call(
        &opened_check.check.to_string(),
        &opened_check.token,
        &solution,
    ))?;
    poll_now(bench.checks.submit_evidence(SubmitEvidence {
        challenge,
        call: call(),
        body: body.into_bytes(),
    }))
}

pub(crate) fn complete(bench: &Fixture, opened_check: &OpenedCheck) -> Result<String, CheckError> {
    poll_now(bench.checks.complete_check(
        &opened_check.check.to_string(),
        &opened_check.token,
        &Fixture::solve(opened_check),
    ))
}

/// Sends both batches of a regular window.
pub(crate) fn evidence(bench: &Fixture, opened_check: &OpenedCheck, context: &ContextId) {
    let step = submit(bench, opened_check, format!("{context} {ADDRESS} 1"))
        .unwrap()
        .expect("the first reply draws a step");
    let second = submit(
        bench,
        opened_check,
        format!("{context} {ADDRESS} 2 {}", step.token),
    )
    .unwrap();
    assert_eq!(second, None);
}

fn is_bot(bench: &Fixture, context: &ContextId) -> bool {
    poll_now(bench.operator.explain(context, &ADDRESS, 20))
        .unwrap()
        .answer
        .is_bot
}

#[test]
fn completed_check_flags_a_bot() {
    let bench = Fixture::new(robot());
    let (_, context) = bench.context("acme");
    let opened_check = bench.open(&context, None);
    evidence(&bench, &opened_check, &context);
    let receipt = complete(&bench, &opened_check).unwrap();
    assert!(is_bot(&bench, &context));
    assert_eq!(complete(&bench, &opened_check).unwrap(), receipt);
    let claims = bench
        .ports
        .secrets
        .signer()
        .verify(RECEIPT_TYPE, &receipt)
        .unwrap();
    assert!(
        !claims.contains("bot") && claims.contains(r#""owned":false"#),
        "{claims}"
    );
}

#[test]
fn lost_receipt_is_returned_after_expiry() {
    let bench = Fixture::new(person());
    let (_, context) = bench.context("acme");
    let opened_check = bench.open(&context, None);
    let other_check = bench.open(&context, None);
    evidence(&bench, &opened_check, &context);
    evidence(&bench, &other_check, &context);
    let receipt = complete(&bench, &opened_check).unwrap();
    bench.clock.advance(CHECK_TTL);
    assert_eq!(complete(&bench, &opened_check), Ok(receipt));
    assert_eq!(
        complete(&bench, &other_check),
        Err(GateRejection::ChallengeExpired.into()),
        "it was not completed in time"
    );
    poll_now(bench.checks.judge_expired(other_check.check)).unwrap();
    assert_eq!(
        complete(&bench, &other_check),
        Err(GateRejection::ChallengeExpired.into()),
        "nor may it be later"
    );
}

#[test]
fn check_of_a_human_does_not_flag() {
    let bench = Fixture::new(person());
    let (_, context) = bench.context("acme");
    let opened_check = bench.open(&context, None);
    evidence(&bench, &opened_check, &context);
    complete(&bench, &opened_check).unwrap();
    let explanation = poll_now(bench.operator.explain(&context, &ADDRESS, 20)).unwrap();
    assert!(!explanation.answer.is_bot);
    assert_eq!(explanation.answer.score.hundredths(), 76);
    assert_eq!(explanation.timeline.len(), 1);
}

#[test]
fn protocol_violations_have_distinct_reasons() {
    let bench = Fixture::new(person());
    let (_, context) = bench.context("acme");
    let opened_check = bench.open(&context, None);
    let other_check = bench.open(&context, None);
    let rejection = |result: Result<Option<ChallengeStep>, CheckError>| match result {
        Err(CheckError::Rejected(reason)) => reason,
        other_check => panic!("a refusal, not {other_check:?}"),
    };
    assert_eq!(
        rejection(submit(
            &bench,
            &opened_check,
            format!("{context} {ADDRESS} 2 x")
        )),
        GateRejection::StepNotAnswered
    );
    assert_eq!(
        rejection(submit(
            &bench,
            &opened_check,
            format!("{context} {ADDRESS} 3")
        )),
        GateRejection::BatchNumber
    );
    assert_eq!(
        rejection(submit(
            &bench,
            &opened_check,
            format!("{context} {ADDRESS} 0")
        )),
        GateRejection::BatchNumber
    );
    assert_eq!(
        rejection(submit(
            &bench,
            &opened_check,
            format!("{context} 0x{} 1", "11".repeat(20))
        )),
        GateRejection::ChallengeMismatch
    );
    submit(&bench, &opened_check, format!("{context} {ADDRESS} 1")).unwrap();
    assert_eq!(
        rejection(submit(
            &bench,
            &opened_check,
            format!("{context} {ADDRESS} 1")
        )),
        GateRejection::BatchNumber
    );
    assert_eq!(
        complete(&bench, &opened_check),
        Err(GateRejection::Incomplete.into())
    );
    assert_eq!(
        rejection(submit(
            &bench,
            &opened_check,
            format!("{context} {ADDRESS} 2")
        )),
        GateRejection::ChallengeUsed
    );

    let admit = |check: &str, token: &str, solution: &str| {
        poll_now(bench.checks.authorise_call(check, token, solution)).unwrap_err()
    };
    let id = other_check.check.to_string();
    assert_eq!(
        admit(&id, "forged", "1"),
        GateRejection::ChallengeForged.into()
    );
    assert_eq!(
        admit(&id, &opened_check.token, "1"),
        GateRejection::ChallengeMismatch.into()
    );
    assert_eq!(
        admit(&id, &other_check.token, "no work"),
        GateRejection::WorkUnsolved.into()
    );
    bench.clock.advance(CHECK_TTL);
    assert_eq!(
        admit(&id, &other_check.token, &Fixture::solve(&other_check)),
        GateRejection::ChallengeExpired.into()
    );
}

#[test]
fn open_check_rejection_names_the_cause() {
    let bench = Fixture::new(person());
    let (_, context) = bench.context("acme");
    let open = |request| poll_now(bench.checks.open_check(request)).unwrap_err();
    let missing: ContextId = "spring.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap();
    assert_eq!(open(opening(&missing, None)), CheckError::ContextUnknown);
    let mut elsewhere = opening(&context, None);
    elsewhere.origin_site = "https://evil.example/q/1".into();
    assert_eq!(open(elsewhere), CheckError::OriginMismatch);
    let origin_change = ContextChange {
        origins: Some(vec!["https://other.example".parse().unwrap()]),
        ..ContextChange::default()
    };
    poll_now(bench.registry.change_context(
        &context,
        origin_change,
        Actor::Operator,
        String::new(),
    ))
    .unwrap();
    assert_eq!(open(opening(&context, None)), CheckError::OriginNotAllowed);
    poll_now(bench.registry.archive_context(&context, Actor::Operator)).unwrap();
    assert_eq!(open(opening(&context, None)), CheckError::ContextClosed);
}

#[test]
fn vouched_session_binds_the_check() {
    let bench = Fixture::new(person());
    let (holder, context) = bench.context("acme");
    let (stranger, _) = bench.context("stranger");
    let vouch = CreateVouchedSession {
        context: context.clone(),
        address: ADDRESS,
    };
    let (session, _) = poll_now(bench.checks.create_session(&holder, vouch.clone())).unwrap();
    let opened_check = bench.open(&context, Some(session.clone()));
    evidence(&bench, &opened_check, &context);
    complete(&bench, &opened_check).unwrap();
    let explanation = poll_now(bench.operator.explain(&context, &ADDRESS, 20)).unwrap();
    assert_eq!(
        (
            explanation.verdict.owned.conclusive_checks,
            explanation.verdict.unverified.conclusive_checks
        ),
        (1, 0)
    );

    assert_eq!(
        poll_now(bench.checks.create_session(&stranger, vouch)),
        Err(CheckError::ContextUnknown)
    );
    let reopen = |session: &str| {
        poll_now(
            bench
                .checks
                .open_check(opening(&context, Some(session.to_owned()))),
        )
        .unwrap_err()
    };
    assert_eq!(reopen("forged"), CheckError::SessionInvalid);
    bench.clock.advance(SESSION_TTL);
    assert_eq!(reopen(&session), CheckError::SessionInvalid);
}

/// Returns the expired checks with evidence that are not judged.
fn expired(bench: &Fixture) -> Vec<CheckId> {
    poll_now(
        bench
            .ports
            .store
            .unjudged_checks(bench.clock.now().saturating_sub(CHECK_TTL), 10),
    )
    .unwrap()
}

#[test]
fn expired_check_is_judged_on_its_evidence() {
    let bench = Fixture::new(robot());
    let (_, context) = bench.context("acme");
    let opened_check = bench.open(&context, None);
    submit(&bench, &opened_check, format!("{context} {ADDRESS} 1")).unwrap();
    assert!(expired(&bench).is_empty());
    bench.clock.advance(CHECK_TTL + Duration::from_millis(1));
    assert_eq!(expired(&bench), [opened_check.check]);
    poll_now(bench.checks.judge_expired(opened_check.check)).unwrap();
    assert!(is_bot(&bench, &context));
    assert!(expired(&bench).is_empty());
}

#[test]
fn evidence_retention_is_fixed_on_arrival() {
    const DAY: Duration = Duration::from_hours(24);
    /// Time from the opening to the evidence.
    const BETWEEN: Duration = Duration::from_secs(1);
    let bench = Fixture::new(person());
    let (_, context) = bench.context("acme");
    let keep_for = |days| {
        let change = ContextChange {
            retention_days: Some(days),
            ..ContextChange::default()
        };
        poll_now(
            bench
                .registry
                .change_context(&context, change, Actor::Operator, String::new()),
        )
        .unwrap();
    };
    let check = || {
        let opened_check = bench.open(&context, None);
        bench.clock.advance(BETWEEN);
        evidence(&bench, &opened_check, &context);
        opened_check.check
    };
    keep_for(2);
    let two_days = check();
    keep_for(1);
    let one_day = check();
    let is_kept = |check| {
        !poll_now(bench.ports.store.batches(check))
            .unwrap()
            .is_empty()
    };
    let evict =
        |retention| poll_now(bench.ports.store.evict(bench.clock.now(), retention, 9)).unwrap();
    bench.clock.advance(DAY.saturating_sub(BETWEEN));
    assert_eq!(
        (evict(2 * DAY), is_kept(one_day)),
        (0, true),
        "to the end of its day, from its opening"
    );
    bench.clock.advance(Duration::from_millis(1));
    assert_eq!(
        (evict(2 * DAY), is_kept(one_day), is_kept(two_days)),
        (1, false, true)
    );
    assert_eq!(
        (evict(DAY), is_kept(two_days)),
        (1, false),
        "the service keeps none for longer than it is told to"
    );
}

#[test]
fn sandbox_check_stores_nothing() {
    let bench = Fixture::new(robot());
    let (_, context) = bench.context_of("acme", Environment::Sandbox);
    let opened_check = bench.open(&context, None);
    evidence(&bench, &opened_check, &context);
    bench.clock.advance(Duration::from_secs(20));
    let receipt = complete(&bench, &opened_check).unwrap();
    bench.clock.advance(Duration::from_secs(5));
    assert_eq!(complete(&bench, &opened_check).unwrap(), receipt);
    assert!(
        bench
            .ports
            .secrets
            .signer()
            .verify(RECEIPT_TYPE, &receipt)
            .unwrap()
            .contains(r#""test":true"#)
    );
    assert_ne!(
        complete(&bench, &bench.open(&context, None)).unwrap(),
        receipt
    );
    assert!(
        poll_now(bench.operator.explain(&context, &ADDRESS, 20))
            .unwrap()
            .timeline
            .is_empty()
    );
}

#[test]
fn verdicts_are_counted_after_checks() {
    let bench = Fixture::new(robot());
    let (_, context) = bench.context("acme");
    let opened_check = bench.open(&context, None);
    evidence(&bench, &opened_check, &context);
    let counters = bench.checks.verdict_counters();
    assert!(counters.drain().is_empty(), "no check is completed yet");
    complete(&bench, &opened_check).unwrap();
    let flagged = CheckedVerdict {
        status: Status::Bot,
        layer: LayerKind::Unverified,
    };
    assert_eq!(
        counters.drain().into_iter().collect::<Vec<_>>(),
        [(flagged, 1)]
    );
    complete(&bench, &opened_check).unwrap();
    assert!(counters.drain().is_empty(), "a repetition is not counted");
    let expired_check = bench.open(&context, None);
    evidence(&bench, &expired_check, &context);
    bench.clock.advance(CHECK_TTL);
    poll_now(bench.checks.judge_expired(expired_check.check)).unwrap();
    assert_eq!(counters.drain().into_values().sum::<u64>(), 1);
    let (_, sandbox) = bench.context_of("sandboxed", Environment::Sandbox);
    let sandbox_check = bench.open(&sandbox, None);
    evidence(&bench, &sandbox_check, &sandbox);
    complete(&bench, &sandbox_check).unwrap();
    assert!(
        counters.drain().is_empty(),
        "a sandbox check has no verdict"
    );
}
