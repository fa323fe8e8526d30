//! Wallet ownership: asked for, proven by a wallet or a trusted browser, and by nothing else.

use crate::services::fixture::{ADDRESS, Fixture, call, opening, person, robot};
use voight_domain::check::{CHECK_TTL, GateRejection, RECEIPT_TYPE};
use voight_domain::ownership::{OwnershipError, TRUSTED_BROWSER_TTL};
use voight_domain::registry::{Actor, ContextChange, OwnershipPolicy};
use voight_domain::services::{
    CheckError, CreateVouchedSession, OpenedCheck, OwnedCheck, OwnershipProof, ProveOwnership,
    SubmitEvidence,
};
use voight_domain::verdict::{EventKind, LayerKind};
use voight_domain::{ContextId, Environment, EoaAddress};
use voight_support::{TestBrowser, TestWallet, poll_now};

/// Returns the signature by `personal_sign` of the message of a check.
fn signed(wallet: &TestWallet, opened_check: &OpenedCheck) -> OwnershipProof {
    let text = opened_check
        .sign_request
        .as_ref()
        .expect("a check that asks")
        .to_string();
    OwnershipProof::Signed {
        signature: wallet.sign(&text),
        key: None,
    }
}

/// Adds the key of a browser that asks to be trusted.
fn with_browser(browser: &TestBrowser, proof: OwnershipProof) -> OwnershipProof {
    match proof {
        OwnershipProof::Signed { signature, .. } => OwnershipProof::Signed {
            signature,
            key: Some(browser.key()),
        },
        trusted @ OwnershipProof::TrustedBrowser { .. } => trusted,
    }
}

/// Returns the proof of a trusted browser for a check.
fn shown(browser: &TestBrowser, token: &str, opened_check: &OpenedCheck) -> OwnershipProof {
    let proof = browser.sign(opened_check.token.as_str());
    OwnershipProof::TrustedBrowser {
        token: token.to_owned(),
        key: browser.key(),
        proof,
    }
}

fn set(bench: &Fixture, context: &ContextId, binding: OwnershipPolicy) {
    let change = ContextChange {
        ownership_proof: Some(binding),
        ..ContextChange::default()
    };
    poll_now(
        bench
            .registry
            .change_context(context, change, Actor::Operator, String::new()),
    )
    .unwrap();
}

/// Returns a context that asks for a signature in every check.
fn asking(bench: &Fixture) -> ContextId {
    let (_, context) = bench.context("acme");
    set(bench, &context, OwnershipPolicy::Always);
    context
}

fn open_for(bench: &Fixture, context: &ContextId, address: EoaAddress) -> OpenedCheck {
    poll_now(bench.checks.open_check(voight_domain::services::OpenCheck {
        address,
        ..opening(context, None)
    }))
    .unwrap()
}

fn prove_ownership(
    bench: &Fixture,
    opened_check: &OpenedCheck,
    proof: OwnershipProof,
) -> Result<OwnedCheck, CheckError> {
    let solution = Fixture::solve(opened_check);
    let challenge = poll_now(bench.checks.authorise_call(
        &opened_check.check.to_string(),
        &opened_check.token,
        &solution,
    ))?;
    poll_now(bench.checks.prove_ownership(ProveOwnership {
        challenge,
        token: opened_check.token.clone(),
        proof,
    }))
}

/// Sends both batches and completes the check with this challenge; returns the claims of its receipt.
fn finish(
    bench: &Fixture,
    opened_check: &OpenedCheck,
    token: &str,
    context: &ContextId,
    address: EoaAddress,
) -> String {
    let check = opened_check.check.to_string();
    let solution = Fixture::solve(opened_check);
    let submit = |body: String| {
        let challenge = poll_now(bench.checks.authorise_call(&check, token, &solution)).unwrap();
        poll_now(bench.checks.submit_evidence(SubmitEvidence {
            challenge,
            call: call(),
            body: body.into_bytes(),
        }))
        .unwrap()
    };
    let step = submit(format!("{context} {address} 1")).expect("the first reply draws a step");
    submit(format!("{context} {address} 2 {}", step.token));
    let receipt = poll_now(bench.checks.complete_check(&check, token, &solution)).unwrap();
    bench
        .ports
        .secrets
        .signer()
        .verify(RECEIPT_TYPE, &receipt)
        .unwrap()
}

#[test]
fn signature_binds_the_check() {
    let bench = Fixture::new(person());
    let context = asking(&bench);
    let wallet = TestWallet::new(1);
    let opened_check = open_for(&bench, &context, wallet.address());
    let proven = prove_ownership(&bench, &opened_check, signed(&wallet, &opened_check)).unwrap();
    assert_eq!(
        proven.trusted_browser, None,
        "no browser asked to be trusted"
    );
    let claims = finish(
        &bench,
        &opened_check,
        &proven.token,
        &context,
        wallet.address(),
    );
    assert!(claims.contains(r#""owned":true"#), "{claims}");
    let explanation = poll_now(bench.operator.explain(&context, &wallet.address(), 20)).unwrap();
    assert_eq!(
        (
            explanation.verdict.owned.conclusive_checks,
            explanation.verdict.unverified.conclusive_checks
        ),
        (1, 0)
    );
}

#[test]
fn signature_is_for_one_check() {
    let bench = Fixture::new(person());
    let context = asking(&bench);
    let wallet = TestWallet::new(1);
    let stranger = TestWallet::new(2);
    let first = open_for(&bench, &context, wallet.address());
    let second = open_for(&bench, &context, wallet.address());
    assert_eq!(
        prove_ownership(&bench, &second, signed(&wallet, &first)),
        Err(OwnershipError::SignerMismatch.into())
    );
    assert_eq!(
        prove_ownership(&bench, &first, signed(&stranger, &first)),
        Err(OwnershipError::SignerMismatch.into())
    );
    let anothers = open_for(&bench, &context, stranger.address());
    assert_eq!(
        prove_ownership(&bench, &anothers, signed(&wallet, &anothers)),
        Err(OwnershipError::SignerMismatch.into())
    );
    let proof = signed(&wallet, &first);
    bench.clock.advance(CHECK_TTL);
    assert_eq!(
        prove_ownership(&bench, &first, proof),
        Err(GateRejection::ChallengeExpired.into())
    );
}

#[test]
fn signature_is_rejected_after_evidence() {
    let bench = Fixture::new(person());
    let context = asking(&bench);
    let wallet = TestWallet::new(1);
    let opened_check = open_for(&bench, &context, wallet.address());
    let check = opened_check.check.to_string();
    let solution = Fixture::solve(&opened_check);
    let challenge = poll_now(
        bench
            .checks
            .authorise_call(&check, &opened_check.token, &solution),
    )
    .unwrap();
    let body = format!("{context} {} 1", wallet.address()).into_bytes();
    poll_now(bench.checks.submit_evidence(SubmitEvidence {
        challenge,
        call: call(),
        body,
    }))
    .unwrap();
    assert_eq!(
        prove_ownership(&bench, &opened_check, signed(&wallet, &opened_check)),
        Err(OwnershipError::EvidenceAlreadySubmitted.into())
    );

    let completed_check = open_for(&bench, &context, wallet.address());
    finish(
        &bench,
        &completed_check,
        &completed_check.token,
        &context,
        wallet.address(),
    );
    assert_eq!(
        prove_ownership(&bench, &completed_check, signed(&wallet, &completed_check)),
        Err(GateRejection::ChallengeUsed.into())
    );
}

#[test]
fn trusted_browser_binds_later_checks() {
    let bench = Fixture::new(person());
    let context = asking(&bench);
    let wallet = TestWallet::new(1);
    let browser = TestBrowser::new(1);
    let opened_check = open_for(&bench, &context, wallet.address());
    let proven = prove_ownership(
        &bench,
        &opened_check,
        with_browser(&browser, signed(&wallet, &opened_check)),
    )
    .unwrap();
    let token = proven
        .trusted_browser
        .expect("a token of the trusted browser");

    let later = open_for(&bench, &context, wallet.address());
    let proof = shown(&browser, &token, &later);
    assert!(prove_ownership(&bench, &later, proof.clone()).is_ok());
    let not_remembered = Err(OwnershipError::UnknownBrowser.into());
    let next = open_for(&bench, &context, wallet.address());
    assert_eq!(
        prove_ownership(&bench, &next, proof),
        not_remembered,
        "the proof of another check"
    );
    assert_eq!(
        prove_ownership(&bench, &next, shown(&TestBrowser::new(2), &token, &next)),
        not_remembered,
        "a stolen token"
    );
    let anothers = open_for(&bench, &context, TestWallet::new(2).address());
    assert_eq!(
        prove_ownership(&bench, &anothers, shown(&browser, &token, &anothers)),
        not_remembered,
        "another wallet"
    );
    assert_eq!(
        prove_ownership(&bench, &next, shown(&browser, "forged", &next)),
        not_remembered
    );
    bench.clock.advance(TRUSTED_BROWSER_TTL);
    let late_check = open_for(&bench, &context, wallet.address());
    assert_eq!(
        prove_ownership(&bench, &late_check, shown(&browser, &token, &late_check)),
        not_remembered,
        "after thirty days"
    );
}

#[test]
fn never_policy_binds_nothing() {
    let bench = Fixture::new(person());
    let context = asking(&bench);
    let wallet = TestWallet::new(1);
    let browser = TestBrowser::new(1);
    let opened_check = open_for(&bench, &context, wallet.address());
    let proven = prove_ownership(
        &bench,
        &opened_check,
        with_browser(&browser, signed(&wallet, &opened_check)),
    )
    .unwrap();
    set(&bench, &context, OwnershipPolicy::Never);
    let later = open_for(&bench, &context, wallet.address());
    assert_eq!(later.sign_request, None);
    let proof = shown(&browser, &proven.trusted_browser.unwrap(), &later);
    assert_eq!(
        prove_ownership(&bench, &later, proof),
        Err(OwnershipError::SignatureNotRequired.into())
    );
}

/// Returns the number of checks of 400 that ask for a signature.
fn asked(bench: &Fixture, context: &ContextId) -> usize {
    (0..400)
        .filter(|_| bench.open(context, None).sign_request.is_some())
        .count()
}

#[test]
fn sampling_ignores_stored_verdicts() {
    let bench = Fixture::new(robot());
    let (holder, context) = bench.context("acme");
    let asked_before = asked(&bench, &context);
    let first = bench.open(&context, None);
    finish(&bench, &first, &first.token, &context, ADDRESS);
    assert!(
        poll_now(bench.operator.explain(&context, &ADDRESS, 9))
            .unwrap()
            .answer
            .is_bot
    );
    let asked_after = asked(&bench, &context);
    assert!(
        [asked_before, asked_after]
            .iter()
            .all(|count| (65..=135).contains(count)),
        "{asked_before} and {asked_after} of 400"
    );
    let vouch = CreateVouchedSession {
        context: context.clone(),
        address: ADDRESS,
    };
    let (session, _) = poll_now(bench.checks.create_session(&holder, vouch)).unwrap();
    for _ in 0..40 {
        assert_eq!(
            bench.open(&context, Some(session.clone())).sign_request,
            None,
            "a vouched session proves ownership already"
        );
    }
}

#[test]
fn timeline_has_the_answer_change() {
    let bench = Fixture::new(person());
    let context = asking(&bench);
    let wallet = TestWallet::new(1);
    let claimed_check = open_for(&bench, &context, wallet.address());
    finish(
        &bench,
        &claimed_check,
        &claimed_check.token,
        &context,
        wallet.address(),
    );
    let opened_check = open_for(&bench, &context, wallet.address());
    let proven = prove_ownership(&bench, &opened_check, signed(&wallet, &opened_check)).unwrap();
    finish(
        &bench,
        &opened_check,
        &proven.token,
        &context,
        wallet.address(),
    );
    let explanation = poll_now(bench.operator.explain(&context, &wallet.address(), 20)).unwrap();
    let kinds: Vec<_> = explanation
        .timeline
        .into_iter()
        .map(|event| event.kind)
        .collect();
    let [
        EventKind::Judged { .. },
        EventKind::Judged { layer, .. },
        moved,
    ] = kinds.as_slice()
    else {
        panic!("{kinds:?}");
    };
    assert_eq!(*layer, LayerKind::Owned);
    assert_eq!(
        *moved,
        EventKind::LayerChanged {
            check: opened_check.check,
            unverified_flagged: false,
            owned_flagged: false
        }
    );
}

#[test]
fn sandbox_check_can_be_bound() {
    let bench = Fixture::new(person());
    let (_, context) = bench.context_of("acme", Environment::Sandbox);
    set(&bench, &context, OwnershipPolicy::Always);
    let wallet = TestWallet::new(1);
    let opened_check = open_for(&bench, &context, wallet.address());
    let proven = prove_ownership(&bench, &opened_check, signed(&wallet, &opened_check)).unwrap();
    let claims = finish(
        &bench,
        &opened_check,
        &proven.token,
        &context,
        wallet.address(),
    );
    assert!(claims.contains(r#""owned":true"#), "{claims}");
}
