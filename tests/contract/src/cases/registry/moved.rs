//! Transfers of contexts to other API keys, and reinstated API keys.

use super::super::cases;
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, Fixture, TestAccount, WRITERS, while_written};
use crate::generate::{address, audit, current};
use crate::ledger::{assert_gapless, lookups};
use crate::state_dump::{EntityRefs, assert_same, everything};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use voight_domain::check::RedeemOutcome;
use voight_domain::metering::LookupOutcome;
use voight_domain::ports::{ContextFilter, RegisterOutcome};
use voight_domain::registry::{
    Actor, AuditAction, Client, ClientStatus, Context, ContextTransfer, Key, KeyChange,
    TransferOutcome, TransferRejection, TransferScope,
};
use voight_domain::vocabulary::{Environment, KeyId, Scope};

cases![
    moved_context_changes_hands,
    move_is_idempotent,
    revocation_moves_every_context,
    rejected_move_changes_nothing,
    reinstated_key_keeps_its_contexts,
    registration_needs_an_active_key,
];

/// Returns a transfer to this API key, dated now.
fn transfer(fixture: &Fixture, scope: TransferScope, to: KeyId) -> ContextTransfer {
    ContextTransfer {
        scope,
        to,
        at: fixture.now(),
        actor: Actor::Operator,
        reason: "by the suite".to_owned(),
    }
}

fn move_context(fixture: &Fixture, context: &Context, to: &Key) -> TransferOutcome {
    let scope = TransferScope::Context(context.id.clone());
    block_on_ok(
        fixture
            .store()
            .transfer_contexts(transfer(fixture, scope, to.id)),
    )
}

fn revoke_and_move(fixture: &Fixture, key: &Key, to: &Key) -> TransferOutcome {
    block_on_ok(fixture.store().transfer_contexts(transfer(
        fixture,
        TransferScope::RevokedKey(key.id),
        to.id,
    )))
}

fn revoke(fixture: &Fixture, key: &Key) {
    let entry = audit(AuditAction::KeyRevoked, &key.id, fixture.now());
    block_on_ok(
        fixture
            .store()
            .change_key(key.id, KeyChange::Revoke { at: fixture.now() }, entry),
    );
}

fn actions(fixture: &Fixture) -> Vec<AuditAction> {
    block_on_ok(fixture.store().audit(0, ALL))
        .into_iter()
        .map(|record| record.entry.action)
        .collect()
}

fn tied_to(fixture: &Fixture, key: &Key) -> Vec<Context> {
    block_on_ok(
        fixture
            .store()
            .contexts(ContextFilter::Key(key.id), None, ALL),
    )
}

fn moved_context_changes_hands(fixture: &mut Fixture) {
    let account = fixture.account();
    let other_account = TestAccount {
        key: fixture.key(&account.client),
        ..fixture.account()
    };
    let other_account = TestAccount {
        client: account.client.clone(),
        context: account.context.clone(),
        ..other_account
    };
    let is_transferred = AtomicBool::new(false);
    let lookup_counts = [AtomicUsize::new(0), AtomicUsize::new(0)];
    let look_up = || {
        for (place, asking) in [&account, &other_account].into_iter().enumerate() {
            let was_moved = is_transferred.load(Ordering::SeqCst);
            let outcome = fixture.answer(&fixture.request(asking, address(1)));
            let is_recorded = matches!(outcome, LookupOutcome::Recorded(..));
            assert!(
                is_recorded || outcome == LookupOutcome::UnknownContext,
                "{outcome:?}"
            );
            assert!(
                !was_moved || is_recorded == (place == 1),
                "after the transfer: {outcome:?}"
            );
            lookup_counts[place].fetch_add(usize::from(is_recorded), Ordering::SeqCst);
        }
    };
    let write = |writer| {
        look_up();
        if writer == 0 {
            assert_eq!(
                move_context(fixture, &account.context, &other_account.key),
                TransferOutcome::Moved { contexts: 1 }
            );
            is_transferred.store(true, Ordering::SeqCst);
        }
    };
    while_written(write, look_up);
    let rows = fixture.ledger(account.client.id);
    assert_gapless(&rows);
    for (asking, lookup_count) in [&account, &other_account].into_iter().zip(lookup_counts) {
        let of_key = lookups(&rows)
            .iter()
            .filter(|row| row.key == asking.key.number)
            .count();
        assert_eq!(
            of_key,
            lookup_count.into_inner(),
            "the counted lookups are not the answered ones"
        );
    }
    receipts_follow(fixture, &account, &other_account);
    assert_eq!(actions(fixture).last(), Some(&AuditAction::ContextMoved));
}

/// Tests that only the new API key redeems the receipts of a transferred context.
fn receipts_follow(fixture: &Fixture, old: &TestAccount, new: &TestAccount) {
    let stored_context = block_on_ok(fixture.store().context(&old.context.id));
    let transferred_context =
        stored_context.unwrap_or_else(|| panic!("the transferred context is missing"));
    assert_eq!(
        transferred_context,
        Context {
            key: new.key.id,
            ..old.context.clone()
        },
        "a transfer changed more than the key"
    );
    assert_eq!(
        (tied_to(fixture, &old.key), tied_to(fixture, &new.key)),
        (vec![], vec![transferred_context.clone()])
    );
    let receipt = fixture
        .make
        .receipt(&transferred_context, address(1), fixture.now());
    assert_eq!(
        fixture.redeem(&fixture.make.redemption(&old.context, &receipt)),
        RedeemOutcome::Forged
    );
    assert_eq!(
        fixture.redeem(&fixture.make.redemption(&transferred_context, &receipt)),
        RedeemOutcome::Valid
    );
}

fn move_is_idempotent(fixture: &mut Fixture) {
    let account = fixture.account();
    let other_key = fixture.key(&account.client);
    assert_eq!(
        move_context(fixture, &account.context, &other_key),
        TransferOutcome::Moved { contexts: 1 }
    );
    let actions_before = actions(fixture);
    assert_eq!(
        move_context(fixture, &account.context, &other_key),
        TransferOutcome::Moved { contexts: 0 }
    );
    assert_eq!(
        actions(fixture),
        actions_before,
        "a transfer without a change is audited"
    );
    assert_eq!(
        revoke_and_move(fixture, &other_key, &account.key),
        TransferOutcome::Moved { contexts: 1 }
    );
    let actions_before = actions(fixture);
    assert_eq!(
        revoke_and_move(fixture, &other_key, &account.key),
        TransferOutcome::Moved { contexts: 0 }
    );
    assert_eq!(
        actions(fixture),
        actions_before,
        "a revocation that changes nothing is audited"
    );
}

fn revocation_moves_every_context(fixture: &mut Fixture) {
    let account = fixture.account();
    let successor = fixture.key(&account.client);
    let register = || {
        let context = fixture.make.context(&account.key, fixture.now());
        let entry = audit(AuditAction::ContextRegistered, &context.id, fixture.now());
        block_on_ok(fixture.store().register_context(context, None, entry))
    };
    let registered_count = AtomicUsize::new(1);
    let write = |writer| {
        if writer == WRITERS / 2 {
            let outcome = revoke_and_move(fixture, &account.key, &successor);
            assert!(
                matches!(outcome, TransferOutcome::Moved { .. }),
                "{outcome:?}"
            );
        } else {
            let is_registered = matches!(register(), RegisterOutcome::Registered(_));
            registered_count.fetch_add(usize::from(is_registered), Ordering::SeqCst);
        }
    };
    while_written(write, || {});
    assert_eq!(
        tied_to(fixture, &account.key),
        [],
        "a context was not transferred"
    );
    assert_eq!(
        tied_to(fixture, &successor).len(),
        registered_count.into_inner()
    );
    assert_eq!(register(), RegisterOutcome::KeyRejected);
    let asking = TestAccount {
        key: successor,
        ..account
    };
    let outcome = fixture.answer(&fixture.request(&asking, address(1)));
    assert!(
        matches!(outcome, LookupOutcome::Recorded(..)),
        "{outcome:?}"
    );
    let revocations = actions(fixture)
        .into_iter()
        .filter(|action| *action == AuditAction::KeyRevoked);
    assert_eq!(revocations.count(), 1);
}

/// Issues keys that no context of the client's live keys may be moved to, each with the reason.
fn rejected_keys(fixture: &Fixture, client: &Client) -> [(Key, TransferRejection); 5] {
    let now = fixture.now();
    let other_client = fixture.account().key;
    let sandbox = fixture.issue(fixture.make.key(client.id, Environment::Sandbox, now));
    let expired_key = fixture.issue(Key {
        expires_at: Some(now),
        ..fixture.make.key(client.id, Environment::Live, now)
    });
    let registry = fixture.issue(Key {
        scopes: [Scope::ContextRegister].into_iter().collect(),
        ..fixture.make.key(client.id, Environment::Live, now)
    });
    let revoked_key = fixture.key(client);
    revoke(fixture, &revoked_key);
    let in_sandbox = TransferRejection::AnotherEnvironment {
        key: sandbox.id,
        needed: Environment::Live,
    };
    let expired_rejection = TransferRejection::KeyExpired {
        key: expired_key.id,
        at: now,
    };
    let of_another_client = TransferRejection::AnotherClient(other_client.id);
    let revoked_rejection = TransferRejection::KeyRevoked(revoked_key.id);
    let without_scope = TransferRejection::ScopeMissing(registry.id);
    [
        (other_client, of_another_client),
        (sandbox, in_sandbox),
        (revoked_key, revoked_rejection),
        (expired_key, expired_rejection),
        (registry, without_scope),
    ]
}

fn rejected_move_changes_nothing(fixture: &mut Fixture) {
    let account = fixture.account();
    let client = account.client.clone();
    let now = fixture.now();
    let rejected_keys = rejected_keys(fixture, &client);
    let unknown = fixture.make.key(client.id, Environment::Live, now);
    let state_before = everything(fixture.store(), &EntityRefs::default());
    let unknown_key = (unknown.clone(), TransferRejection::KeyUnknown(unknown.id));
    for (to, rejection) in rejected_keys.iter().chain([&unknown_key]) {
        assert_eq!(
            move_context(fixture, &account.context, to),
            TransferOutcome::Rejected(*rejection)
        );
        assert_eq!(
            revoke_and_move(fixture, &account.key, to),
            TransferOutcome::Rejected(*rejection)
        );
    }
    let onto_itself = TransferOutcome::Rejected(TransferRejection::SameKey(account.key.id));
    assert_eq!(
        revoke_and_move(fixture, &account.key, &account.key),
        onto_itself
    );
    let missing = fixture.make.context(&account.key, now);
    assert_eq!(
        move_context(fixture, &missing, &account.key),
        TransferOutcome::SourceUnknown
    );
    assert_eq!(
        revoke_and_move(fixture, &unknown, &account.key),
        TransferOutcome::SourceUnknown
    );
    assert_same(
        &everything(fixture.store(), &EntityRefs::default()),
        &state_before,
        "after rejected transfers",
    );
    let other_key = fixture.key(&client);
    fixture.set_status(&client, ClientStatus::Closed);
    let client_closed = TransferOutcome::Rejected(TransferRejection::ClientClosed(client.id));
    assert_eq!(
        move_context(fixture, &account.context, &other_key),
        client_closed
    );
    assert_eq!(
        revoke_and_move(fixture, &account.key, &other_key),
        client_closed
    );
}

fn reinstated_key_keeps_its_contexts(fixture: &mut Fixture) {
    let account = fixture.account();
    let rotated_key = fixture.rotate(
        &account.key,
        fixture.now().saturating_add(Duration::from_hours(24)),
    );
    revoke(fixture, &account.key);
    let change = KeyChange::Reinstate {
        secret: fixture.make.secret(),
    };
    let entry = audit(AuditAction::KeyReinstated, &account.key.id, fixture.now());
    let stored_key = block_on_ok(fixture.store().change_key(account.key.id, change, entry));
    let reinstated_key = stored_key.unwrap_or_else(|| panic!("the key is missing"));
    assert_eq!(
        (
            reinstated_key.id,
            reinstated_key.number,
            reinstated_key.revoked_at
        ),
        (account.key.id, account.key.number, None)
    );
    for dead in [current(&account.key), current(&rotated_key)] {
        let mut request = fixture.request(&account, address(1));
        request.key = dead;
        assert_eq!(
            fixture.answer(&request),
            LookupOutcome::InvalidKey,
            "an old secret is valid again"
        );
        assert_eq!(
            block_on_ok(fixture.store().key_by_digest(dead)),
            None,
            "an old secret still finds the key"
        );
    }
    let asking = TestAccount {
        key: reinstated_key,
        ..account
    };
    let outcome = fixture.answer(&fixture.request(&asking, address(1)));
    assert!(
        matches!(outcome, LookupOutcome::Recorded(..)),
        "{outcome:?}"
    );
}

fn registration_needs_an_active_key(fixture: &mut Fixture) {
    let account = fixture.account();
    let is_revoked = AtomicBool::new(false);
    let register = |key: &Key| {
        let context = fixture.make.context(key, fixture.now());
        let entry = audit(AuditAction::ContextRegistered, &context.id, fixture.now());
        block_on_ok(fixture.store().register_context(context, None, entry))
    };
    let write = |writer| {
        if writer == 0 {
            revoke(fixture, &account.key);
            is_revoked.store(true, Ordering::SeqCst);
        } else {
            let must_reject = is_revoked.load(Ordering::SeqCst);
            let outcome = register(&account.key);
            let is_rejected = outcome == RegisterOutcome::KeyRejected;
            assert!(
                is_rejected || !must_reject,
                "after the revocation had returned: {outcome:?}"
            );
        }
    };
    while_written(write, || {});
    assert_eq!(register(&account.key), RegisterOutcome::KeyRejected);
    let mut short_lived = fixture
        .make
        .key(account.client.id, Environment::Live, fixture.now());
    short_lived.expires_at = Some(fixture.now().saturating_add(Duration::from_mins(1)));
    let short_lived = fixture.issue(short_lived);
    assert!(matches!(
        register(&short_lived),
        RegisterOutcome::Registered(_)
    ));
    fixture.clock.advance(Duration::from_mins(1));
    let actions_before = actions(fixture);
    assert_eq!(register(&short_lived), RegisterOutcome::KeyRejected);
    let unknown = fixture
        .make
        .key(account.client.id, Environment::Live, fixture.now());
    assert_eq!(register(&unknown), RegisterOutcome::KeyRejected);
    assert_eq!(
        actions(fixture),
        actions_before,
        "a rejected registration is audited"
    );
}
