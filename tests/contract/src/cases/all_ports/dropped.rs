//! Calls whose futures are dropped.

use super::super::cases;
use crate::block_on::{block_on_ok, poll_once_and_drop};
use crate::fixture::{ALL, Fixture, THREADS, TestAccount, eventually, together};
use crate::generate::{address, audit, human, overrule};
use crate::ledger::{assert_chained, assert_gapless, assert_openings, lookups};
use voight_domain::check::{ConcludeOutcome, RedeemOutcome, Redemption};
use voight_domain::metering::{LedgerId, LookupOutcome, LookupRequest};
use voight_domain::ports::{ContextFilter, RegisterOutcome};
use voight_domain::registry::{AuditAction, Context};
use voight_domain::verdict::{Event, OverrideTo};
use voight_domain::vocabulary::EoaAddress;

cases![dropped_future_is_atomic];

/// Starts and drops each kind of call on many threads, then repeats it. Every other call is dropped before its first
/// poll.
///
/// The dropped call may or may not take effect, but only completely and once, and the repeated call returns a
/// consistent result.
fn dropped_future_is_atomic(fixture: &mut Fixture) {
    let account = fixture.account();
    together(|thread| {
        drop_a_lookup(fixture, &account, thread);
        drop_a_registration(fixture, &account, thread);
        drop_a_conclusion(fixture, &account, thread);
        drop_a_redemption(fixture, &account, thread);
        drop_an_override(fixture, &account, thread);
    });
    lookups_are_whole(fixture, &account);
    let contexts = block_on_ok(fixture.store().contexts(
        ContextFilter::Client(account.client.id),
        None,
        ALL,
    ));
    assert_eq!(
        contexts.len(),
        1 + THREADS,
        "a dropped registration and its repetition are two contexts"
    );
}

/// Starts a call and drops its future: before the first poll, or after it.
fn begin<F: Future>(call: F, thread: usize) {
    if thread.is_multiple_of(2) {
        poll_once_and_drop(call);
    } else {
        drop(call);
    }
}

/// Returns a distinct address for each thread.
fn address_for_thread(thread: usize) -> EoaAddress {
    address(u32::try_from(thread).unwrap_or(u32::MAX))
}

fn events(fixture: &Fixture, account: &TestAccount, thread: usize) -> Vec<Event> {
    block_on_ok(
        fixture
            .store()
            .timeline(&account.context.id, &address_for_thread(thread), ALL),
    )
}

fn drop_a_lookup(fixture: &Fixture, account: &TestAccount, thread: usize) {
    let request = LookupRequest {
        idempotency: Some(fixture.make.idempotency()),
        ..fixture.request(account, address_for_thread(thread))
    };
    begin(fixture.store().answer(request.clone()), thread);
    let outcome = fixture.answer(&request);
    assert!(
        matches!(
            outcome,
            LookupOutcome::Recorded(..) | LookupOutcome::Replayed(_)
        ),
        "{outcome:?}"
    );
}

fn lookups_are_whole(fixture: &Fixture, account: &TestAccount) {
    let client = account.client.id;
    let rows = fixture.ledger(client);
    assert_eq!(
        lookups(&rows).len(),
        THREADS,
        "a dropped lookup and its repetition are two rows"
    );
    assert_gapless(&rows);
    assert_openings(&rows);
    match block_on_ok(fixture.store().meter(LedgerId::live(client))) {
        Some(meter) => assert_chained(&meter, &rows, LedgerId::live(client)),
        None => panic!("there are rows without a meter"),
    }
}

fn drop_a_registration(fixture: &Fixture, account: &TestAccount, thread: usize) {
    let idempotency = Some(fixture.make.idempotency());
    let context = fixture.make.context(&account.key, fixture.now());
    let entry = audit(AuditAction::ContextRegistered, &context.id, fixture.now());
    begin(
        fixture
            .store()
            .register_context(context.clone(), idempotency, entry.clone()),
        thread,
    );
    match block_on_ok(
        fixture
            .store()
            .register_context(context.clone(), idempotency, entry.clone()),
    ) {
        RegisterOutcome::Registered(Context { id, .. }) | RegisterOutcome::Replayed(id) => {
            assert_eq!(id, context.id);
        }
        RegisterOutcome::IdempotencyKeyReused => {
            panic!("the idempotency record has other parameters")
        }
        RegisterOutcome::KeyRejected => panic!("the key is not active"),
    }
    let log = block_on_ok(fixture.store().audit(0, ALL));
    assert_eq!(
        log.iter().filter(|record| record.entry == entry).count(),
        1,
        "a registration is audited once"
    );
}

fn drop_a_conclusion(fixture: &Fixture, account: &TestAccount, thread: usize) {
    let check = fixture.make.conclusion(
        &account.context,
        address_for_thread(thread),
        human(),
        fixture.now(),
    );
    begin(fixture.store().conclude(check.clone()), thread);
    // The dropped call may have been made.
    let (ConcludeOutcome::Done(receipt) | ConcludeOutcome::Repeated(receipt)) =
        fixture.conclude(&check)
    else {
        panic!("the check is not concluded");
    };
    assert_eq!(receipt, check.receipt);
    let verdict = block_on_ok(
        fixture
            .store()
            .verdict(&account.context.id, &address_for_thread(thread)),
    );
    assert_eq!(
        verdict.map(|verdict| verdict.unverified.conclusive_checks),
        Some(1),
        "a dropped check counts once"
    );
    assert_eq!(
        events(fixture, account, thread).len(),
        1,
        "a dropped check has one event"
    );
}

fn drop_a_redemption(fixture: &Fixture, account: &TestAccount, thread: usize) {
    let receipt = fixture
        .make
        .receipt(&account.context, address_for_thread(thread), fixture.now());
    let idempotency = Some(fixture.make.redemption_idempotency(&receipt));
    let redemption = Redemption {
        idempotency,
        ..fixture.make.redemption(&account.context, &receipt)
    };
    begin(fixture.store().redeem(redemption.clone()), thread);
    let outcome = fixture.redeem(&redemption);
    assert!(
        matches!(outcome, RedeemOutcome::Valid | RedeemOutcome::Replayed),
        "{outcome:?}"
    );
    assert_eq!(
        fixture.redeem(&redemption),
        RedeemOutcome::Replayed,
        "a dropped redemption stored its idempotency record"
    );
}

/// Drops an override. It has no idempotency key: its epoch counts how often it was applied, and events and audit
/// entries must match.
fn drop_an_override(fixture: &Fixture, account: &TestAccount, thread: usize) {
    let store = fixture.store();
    let change = overrule(
        &account.context,
        address_for_thread(thread),
        OverrideTo::Bot,
    );
    let entry = audit(
        AuditAction::VerdictOverridden,
        &address_for_thread(thread),
        fixture.now(),
    );
    begin(
        store.override_verdict(change.clone(), entry.clone()),
        thread,
    );
    block_on_ok(store.override_verdict(change, entry.clone()));
    eventually(
        "epoch, events and audit entries of an override differ",
        || {
            let verdict =
                block_on_ok(store.verdict(&account.context.id, &address_for_thread(thread)));
            let epoch = verdict.map_or(0, |verdict| verdict.epoch as usize);
            let audit_count = block_on_ok(store.audit(0, ALL))
                .iter()
                .filter(|record| record.entry == entry)
                .count();
            epoch == audit_count && epoch + 1 == events(fixture, account, thread).len()
        },
    );
}
