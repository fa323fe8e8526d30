//! One store that several nodes have open.

use super::super::cases;
use super::super::endpoints::{assert_claims_are_exclusive, claim, create};
use crate::block_on::block_on_ok;
use crate::fixture::{FOREVER, Fixture, THREADS, TestAccount, together};
use crate::generate::{address, audit, bot, overrule};
use crate::ledger::{assert_chained, assert_gapless, lookups};
use crate::state_dump::{EntityRefs, assert_same, everything};
use std::sync::Arc;
use std::time::Duration;
use voight_domain::check::ConcludeOutcome;
use voight_domain::invoicing::CloseScope;
use voight_domain::metering::{LedgerId, Limit, LookupOutcome, LookupRequest, MeterRules};
use voight_domain::ports::{AppendOutcome, Store};
use voight_domain::registry::{Actor, AuditAction, ContextTransfer, KeyChange, TransferScope};
use voight_domain::verdict::OverrideTo;
use voight_domain::vocabulary::Environment;

cases![
    acknowledged_writes_are_visible_on_all_nodes needs MultiNode,
    ledger_is_exact_across_nodes needs MultiNode,
];

/// Alternates changes between two nodes. After each, both nodes return the same data.
fn acknowledged_writes_are_visible_on_all_nodes(fixture: &mut Fixture) {
    let other_node = fixture.another();
    let account = fixture.account();
    let names = EntityRefs {
        addresses: (1..=2).map(address).collect(),
        ..EntityRefs::default()
    };
    let agree = |when: &str| {
        assert_same(
            &everything(other_node.as_ref(), &names),
            &everything(fixture.store(), &names),
            when,
        );
    };
    agree("after an account was created");
    let node = other_node.as_ref();
    assert_answer_is_replayed(fixture, node, &account);
    assert_check_is_concluded_once(fixture, node, &account);
    let entry = audit(
        AuditAction::VerdictOverridden,
        &account.context.id,
        fixture.now(),
    );
    block_on_ok(other_node.override_verdict(
        overrule(&account.context, address(2), OverrideTo::Bot),
        entry,
    ));
    agree("after verdicts were changed");
    assert_batch_is_stored_once(fixture, node, &account);
    assert_transfer_is_visible(fixture, node, &account);
    agree("after a context was transferred");
    assert_revocation_is_visible(fixture, node, &account);
    agree("after a key was revoked");
    assert_claim_is_visible(fixture, node, &account);
    agree("after deliveries were claimed");
}

/// Asserts that a node replays the answer of another node.
fn assert_answer_is_replayed(fixture: &Fixture, other_node: &dyn Store, account: &TestAccount) {
    let request = LookupRequest {
        idempotency: Some(fixture.make.idempotency()),
        ..fixture.request(account, address(1))
    };
    let LookupOutcome::Recorded(answered, _) = block_on_ok(other_node.answer(request.clone()))
    else {
        panic!("not recorded")
    };
    assert_eq!(
        fixture.answer(&request),
        LookupOutcome::Replayed(answered),
        "the idempotency record of another node is missing"
    );
}

fn assert_check_is_concluded_once(
    fixture: &Fixture,
    other_node: &dyn Store,
    account: &TestAccount,
) {
    let check = fixture
        .make
        .conclusion(&account.context, address(1), bot(), fixture.now());
    fixture.conclude(&check);
    let receipt = check.receipt.clone();
    assert_eq!(
        block_on_ok(other_node.conclude(check)),
        ConcludeOutcome::Repeated(receipt),
        "a check that another node concluded is open"
    );
}

fn assert_batch_is_stored_once(fixture: &Fixture, other_node: &dyn Store, account: &TestAccount) {
    let challenge = fixture
        .make
        .challenge(&account.context, address(1), fixture.now());
    let batch = fixture.make.batch(&challenge, 1, 100, fixture.now());
    assert_eq!(
        block_on_ok(other_node.append(batch.clone(), FOREVER)),
        AppendOutcome::Stored
    );
    assert_eq!(
        block_on_ok(fixture.store().append(batch, FOREVER)),
        AppendOutcome::OutOfOrder
    );
}

/// Moves the context to another key on one node and back on the other.
fn assert_transfer_is_visible(fixture: &Fixture, other_node: &dyn Store, account: &TestAccount) {
    let second = fixture.key(&account.client);
    let scope = TransferScope::Context(account.context.id.clone());
    let to = second.id;
    let at = fixture.now();
    let moving = ContextTransfer {
        scope,
        to,
        at,
        actor: Actor::Operator,
        reason: String::new(),
    };
    block_on_ok(fixture.store().transfer_contexts(moving.clone()));
    let outcome = block_on_ok(other_node.answer(fixture.request(account, address(1))));
    assert_eq!(
        outcome,
        LookupOutcome::UnknownContext,
        "a context that another node transferred has the old key"
    );
    block_on_ok(other_node.transfer_contexts(ContextTransfer {
        to: account.key.id,
        ..moving
    }));
}

fn assert_revocation_is_visible(fixture: &Fixture, other_node: &dyn Store, account: &TestAccount) {
    let change = KeyChange::Revoke { at: fixture.now() };
    let entry = audit(AuditAction::KeyRevoked, &account.key.id, fixture.now());
    block_on_ok(fixture.store().change_key(account.key.id, change, entry));
    let outcome = block_on_ok(other_node.answer(fixture.request(account, address(1))));
    assert_eq!(
        outcome,
        LookupOutcome::InvalidKey,
        "a key that another node revoked is accepted"
    );
}

/// Creates an endpoint and claims its deliveries on one node.
fn assert_claim_is_visible(fixture: &Fixture, other_node: &dyn Store, account: &TestAccount) {
    let name = create(fixture, account);
    let other_key = fixture
        .make
        .key(account.client.id, Environment::Live, fixture.now());
    let entry = audit(AuditAction::KeyIssued, &other_key.id, fixture.now());
    block_on_ok(other_node.create_key(other_key, entry));
    assert_eq!(claim(fixture, name, 9).len(), 1);
    assert_eq!(
        block_on_ok(other_node.claim_deliveries(name, 9)),
        None,
        "deliveries that another node claimed are claimed again"
    );
}

/// Does lookups and closes periods through both nodes concurrently, and claims deliveries.
fn ledger_is_exact_across_nodes(fixture: &mut Fixture) {
    const FREE: usize = 20;
    const CAP: usize = 150;
    let nodes = [fixture.shared(), fixture.another()];
    let account = fixture.account();
    fixture.set_limit(&account.client, Limit::Lookups(Some(CAP as u64)));
    let rules = MeterRules {
        allowance: FREE as u64,
        ..MeterRules::default()
    };
    let lookup_count = look_up(fixture, &nodes, &account, &rules);
    assert_eq!(lookup_count, CAP, "the cap is not exact");
    let rows = fixture.ledger(account.client.id);
    assert_gapless(&rows);
    let free: Vec<_> = lookups(&rows).iter().map(|row| row.free).collect();
    assert_eq!(
        free,
        (0..CAP).map(|place| place < FREE).collect::<Vec<_>>(),
        "the first {FREE} lookups are not exactly the free ones"
    );
    match block_on_ok(fixture.store().meter(LedgerId::live(account.client.id))) {
        Some(meter) => assert_chained(&meter, &rows, LedgerId::live(account.client.id)),
        None => panic!("there are rows without a meter"),
    }
    fixture.clock.advance(Duration::from_hours(24 * 31));
    let close = |thread: usize| {
        block_on_ok(nodes[thread % 2].close(
            account.client.id,
            CloseScope::EndedPeriods,
            rules.clone(),
            Actor::Operator,
        ))
    };
    let invoices: Vec<_> = together(close).into_iter().flatten().flatten().collect();
    assert_eq!(invoices.len(), 1, "one period was over");
    assert_eq!(invoices[0].statement.charged, (CAP - FREE) as u64);
    assert_claims_are_exclusive(fixture, &nodes);
}

/// Returns the number of recorded lookups of all threads through both nodes.
fn look_up(
    fixture: &Fixture,
    nodes: &[Arc<dyn Store>; 2],
    account: &TestAccount,
    rules: &MeterRules,
) -> usize {
    const ROUNDS: usize = 4;
    let outcomes = together(|thread| {
        let answer = |round: usize| {
            let request = LookupRequest {
                rules: rules.clone(),
                ..fixture.request(account, address(1))
            };
            block_on_ok(nodes[(thread + round) % 2].answer(request))
        };
        (0..ROUNDS).map(answer).collect::<Vec<_>>()
    });
    assert_eq!(outcomes.len(), THREADS);
    outcomes
        .iter()
        .flatten()
        .filter(|outcome| matches!(outcome, LookupOutcome::Recorded(..)))
        .count()
}
