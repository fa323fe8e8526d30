//! Data after the store was reopened.

use super::super::cases;
use super::super::endpoints::{self, change, claim, create, log_tests};
use crate::block_on::block_on_ok;
use crate::fixture::{FOREVER, Fixture, TestAccount};
use crate::generate::{
    address, answered, audit, bot, current, human, labelled, overrule, replacement,
};
use crate::state_dump::{EntityRefs, assert_same, everything};
use std::time::Duration;
use voight_domain::billing::{Currency, Money};
use voight_domain::check::{
    CheckConclusion, CheckCountKey, CheckCounts, ConcludeOutcome, CountedSite, EvidenceBatch,
    GateRejection,
};
use voight_domain::invoicing::{AdjustmentKind, CloseScope, NewAdjustment};
use voight_domain::metering::{
    BatchLookupRequest, Day, IdempotencyInput, Limit, LookupOutcome, LookupRequest, MeterRules,
    RecordedAnswer, RecordedBatch,
};
use voight_domain::ports::{AppendOutcome, RegisterOutcome, Store};
use voight_domain::registry::{
    Actor, AdminTokenChange, AuditAction, ClientChange, ClientStatus, Context, ContextChange,
    ContextMode, KeyChange,
};
use voight_domain::verdict::{OverrideTo, Truth, Verdict};
use voight_domain::webhooks::{EndpointChange, EndpointName, FilterChange};

cases![acknowledged_write_survives_reopen needs DurableAck];

fn acknowledged_write_survives_reopen(fixture: &mut Fixture) {
    let account = fixture.account();
    let mut names = EntityRefs {
        addresses: (1..=3).map(address).collect(),
        ..EntityRefs::default()
    };
    close_a_period(fixture, &account);
    let (lookup, answered) = look_up(fixture, &account);
    let (batch_lookup, batch_answered) = look_up_batch(fixture, &account);
    change_the_registry(fixture, &account, &mut names);
    let (idempotency, context) = register(fixture, &account);
    let conclusion = conclude(fixture, &account, &mut names);
    let batch = keep_evidence(fixture, &account, &mut names);
    let claimed_endpoint = deliver(fixture);
    count_checks(fixture, &account);
    let state_before = everything(fixture.store(), &names);
    for _ in 0..2 {
        fixture.reopen();
        assert_same(
            &everything(fixture.store(), &names),
            &state_before,
            "after reopening",
        );
    }
    assert_eq!(
        fixture.answer(&lookup),
        LookupOutcome::Replayed(answered),
        "the idempotency record of a lookup is lost"
    );
    assert_eq!(
        fixture.answer_batch(&batch_lookup),
        LookupOutcome::Replayed(batch_answered),
        "the idempotency record of a batch lookup is lost"
    );
    assert_eq!(
        register_with(fixture, &account, idempotency),
        RegisterOutcome::Replayed(context.id),
        "an idempotency record is lost"
    );
    let fresh = fixture
        .make
        .conclusion(&account.context, address(3), human(), fixture.now());
    let copy = CheckConclusion {
        inputs: conclusion.inputs,
        ..fresh
    };
    assert_eq!(
        fixture.conclude(&copy),
        ConcludeOutcome::Rejected(GateRejection::Duplicate),
        "an input is lost"
    );
    assert_eq!(
        block_on_ok(fixture.store().append(batch, FOREVER)),
        AppendOutcome::OutOfOrder,
        "a batch is lost"
    );
    assert_eq!(
        block_on_ok(fixture.store().claim_deliveries(claimed_endpoint, 1)),
        None,
        "a claim is lost"
    );
    assert_eq!(fixture.context(&account.key).number, context.number + 1);
    assert_eq!(fixture.key(&account.client).number, account.key.number + 1);
}

/// Adds counts of checks.
fn count_checks(fixture: &Fixture, account: &TestAccount) {
    let key = CheckCountKey {
        context: account.context.id.clone(),
        day: Day(fixture.now().day()),
        site: CountedSite::Others,
    };
    let counts = vec![(key, CheckCounts::OPENED)];
    block_on_ok(fixture.store().add_check_counts(counts));
}

/// Creates an invoice with a credit, a pending credit, and money limits.
fn close_a_period(fixture: &Fixture, account: &TestAccount) {
    let amount = Money {
        minor: -5,
        currency: Currency::USD,
    };
    let credit = || {
        let adjustment = NewAdjustment {
            kind: AdjustmentKind::Credit,
            amount,
            reason: "for the wait".to_owned(),
        };
        let entry = audit(
            AuditAction::AdjustmentMade,
            &account.client.id,
            fixture.now(),
        );
        block_on_ok(fixture.store().adjust(account.client.id, adjustment, entry));
    };
    fixture.set_limit(
        &account.client,
        Limit::Money(Some(Money {
            minor: 900,
            ..amount
        })),
    );
    fixture.set_limit(
        &account.client,
        Limit::Budget(Some(Money { minor: 1, ..amount })),
    );
    let rules = MeterRules {
        allowance: 1,
        ..MeterRules::default()
    };
    for number in 0..5 {
        fixture.answer(&LookupRequest {
            rules: rules.clone(),
            ..fixture.request(account, address(number))
        });
    }
    credit();
    fixture.clock.advance(Duration::from_hours(24 * 31));
    let invoices = block_on_ok(fixture.store().close(
        account.client.id,
        CloseScope::EndedPeriods,
        rules,
        Actor::Operator,
    ));
    assert_eq!(invoices.map(|invoices| invoices.len()), Some(1));
    credit();
}

/// Does lookups in two months, the last one with an idempotency key.
fn look_up(fixture: &Fixture, account: &TestAccount) -> (LookupRequest, RecordedAnswer) {
    fixture.set_limit(&account.client, Limit::Lookups(Some(9)));
    fixture.answer(&fixture.request(account, address(1)));
    fixture.clock.advance(Duration::from_hours(24 * 10));
    let request = LookupRequest {
        idempotency: Some(fixture.make.idempotency()),
        ..fixture.request(account, address(2))
    };
    match fixture.answer(&request) {
        LookupOutcome::Recorded(answered, _) => (request, answered),
        outcome => panic!("not recorded: {outcome:?}"),
    }
}

fn look_up_batch(fixture: &Fixture, account: &TestAccount) -> (BatchLookupRequest, RecordedBatch) {
    let addresses: Vec<_> = (1..=4).map(address).collect();
    let request = fixture
        .make
        .batch_lookup(&account.key, &account.context, &addresses);
    let request = BatchLookupRequest {
        idempotency: Some(fixture.make.idempotency()),
        ..request
    };
    match fixture.answer_batch(&request) {
        LookupOutcome::Recorded(batch, _) => (request, batch),
        outcome => panic!("not recorded: {outcome:?}"),
    }
}

/// Makes every kind of registry change, on entities of another account.
fn change_the_registry(fixture: &Fixture, account: &TestAccount, names: &mut EntityRefs) {
    let store = fixture.store();
    let entry = |action| audit(action, &account.client.id, fixture.now());
    let other_account = fixture.account();
    fixture.set_status(&other_account.client, ClientStatus::Suspended);
    let change = ClientChange::LookupRate(Some(7));
    block_on_ok(store.change_client(account.client.id, change, entry(AuditAction::ClientChanged)));
    let overlap_until = fixture.now().saturating_add(Duration::from_hours(1));
    let rotation = KeyChange::Rotate {
        secret: fixture.make.secret(),
        overlap_until: Some(overlap_until),
    };
    let rotated_key = block_on_ok(store.change_key(
        other_account.key.id,
        rotation,
        entry(AuditAction::KeyRotated),
    ));
    block_on_ok(store.change_key(
        other_account.key.id,
        KeyChange::Revoke { at: fixture.now() },
        entry(AuditAction::KeyRevoked),
    ));
    names.digests = [&account.key, &other_account.key]
        .into_iter()
        .chain(&rotated_key)
        .map(current)
        .collect();
    let change = ContextChange {
        mode: Some(ContextMode::Observe),
        archived_at: Some(Some(fixture.now())),
        ..ContextChange::default()
    };
    block_on_ok(store.change_context(
        &other_account.context.id,
        change,
        entry(AuditAction::ContextChanged),
    ));
    block_on_ok(store.append_audit(entry(AuditAction::ClockAcknowledged)));
    block_on_ok(store.activate_signing_key(1, entry(AuditAction::SigningKeyRotated)));
    let token = fixture.make.admin_token("ci", fixture.now());
    let of_token = |action| audit(action, &token.id, fixture.now());
    block_on_ok(store.create_admin_token(token.clone(), of_token(AuditAction::AdminTokenCreated)));
    let rotation = AdminTokenChange::Rotate { generation: 1 };
    block_on_ok(store.change_admin_token(
        token.id,
        rotation,
        of_token(AuditAction::AdminTokenRotated),
    ));
    let revocation = AdminTokenChange::Revoke { at: fixture.now() };
    block_on_ok(store.change_admin_token(
        token.id,
        revocation,
        of_token(AuditAction::AdminTokenRevoked),
    ));
    change_user(fixture, store);
}

fn change_user(fixture: &Fixture, store: &dyn Store) {
    let now = fixture.now();
    let user = fixture.make.user("Ada", now);
    let of_user = |action| audit(action, &user.id, now);
    block_on_ok(store.create_user(user.clone(), of_user(AuditAction::UserInvited)));
    let redemption = fixture.make.link_redemption(&user, now);
    let entry = of_user(AuditAction::UserSignedIn);
    block_on_ok(store.change_user(user.id, redemption, Some(entry)));
}

fn register(fixture: &Fixture, account: &TestAccount) -> (IdempotencyInput, Context) {
    let idempotency = fixture.make.idempotency();
    match register_with(fixture, account, idempotency) {
        RegisterOutcome::Registered(context) => (idempotency, context),
        outcome => panic!("not registered: {outcome:?}"),
    }
}

fn register_with(
    fixture: &Fixture,
    account: &TestAccount,
    idempotency: IdempotencyInput,
) -> RegisterOutcome {
    let context = fixture.make.context(&account.key, fixture.now());
    let entry = audit(AuditAction::ContextRegistered, &context.id, fixture.now());
    block_on_ok(
        fixture
            .store()
            .register_context(context, Some(idempotency), entry),
    )
}

fn conclude(fixture: &Fixture, account: &TestAccount, names: &mut EntityRefs) -> CheckConclusion {
    let entry = |action| audit(action, &account.context.id, fixture.now());
    let change = overrule(&account.context, address(2), OverrideTo::Bot);
    block_on_ok(
        fixture
            .store()
            .override_verdict(change, entry(AuditAction::VerdictOverridden)),
    );
    let label = vec![labelled(address(2), Truth::Bot, fixture.now())];
    block_on_ok(fixture.store().put_labels(
        &account.context.id,
        label,
        entry(AuditAction::AddressLabelled),
    ));
    let verdict_before =
        block_on_ok(fixture.store().verdict(&account.context.id, &address(2))).unwrap_or_default();
    let change = replacement(
        &account.context,
        address(2),
        verdict_before,
        Verdict::default(),
    );
    block_on_ok(
        fixture
            .store()
            .replace_verdict(change, entry(AuditAction::VerdictReplayed)),
    );
    let checks = [bot(), human()].map(|assessment| {
        fixture
            .make
            .conclusion(&account.context, address(1), assessment, fixture.now())
    });
    for check in &checks {
        fixture.conclude(check);
        names.checks.push(check.check);
    }
    let [first, _] = checks;
    first
}

/// Creates the evidence of two checks, the first one judged, and returns the last batch.
fn keep_evidence(
    fixture: &Fixture,
    account: &TestAccount,
    names: &mut EntityRefs,
) -> EvidenceBatch {
    let challenges = [1, 2].map(|number| {
        fixture
            .make
            .challenge(&account.context, address(number), fixture.now())
    });
    for challenge in &challenges {
        block_on_ok(fixture.store().append(
            fixture.make.batch(challenge, 1, 500, fixture.now()),
            FOREVER,
        ));
        names.checks.push(challenge.check);
    }
    let last = fixture.make.batch(&challenges[1], 2, 500, fixture.now());
    block_on_ok(fixture.store().append(last.clone(), FOREVER));
    block_on_ok(fixture.store().mark_judged(challenges[0].check));
    last
}

/// Makes every kind of change of endpoints of another account, and returns the one with a claim in progress.
fn deliver(fixture: &Fixture) -> EndpointName {
    let account = fixture.account();
    let [claimed, paused, deleted] = [(); 3].map(|()| create(fixture, &account));
    for name in [claimed, paused, deleted] {
        log_tests(fixture, name, 2);
    }
    for _ in 0..3 {
        fixture.key(&account.client);
    }
    let attempts = claim(fixture, claimed, 2);
    endpoints::conclude(fixture, claimed, &attempts, answered(500));
    let contexts = [account.context.id.clone()].into_iter().collect();
    let filter_change = FilterChange {
        types: None,
        contexts: Some(contexts),
    };
    for endpoint_change in [
        EndpointChange::Url("https://platform.example/new".to_owned()),
        EndpointChange::Filter(filter_change),
        EndpointChange::Rotate,
        EndpointChange::ReplayFrom(1),
        EndpointChange::Pause,
    ] {
        change(fixture, paused, endpoint_change);
    }
    assert!(endpoints::delete(fixture, deleted));
    // The endpoint fails, so its next attempt is a retry.
    fixture.clock.advance(Duration::from_secs(10));
    assert_eq!(claim(fixture, claimed, 1).len(), 1);
    claimed
}
