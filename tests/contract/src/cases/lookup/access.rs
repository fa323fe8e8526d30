//! Access control of lookups.

use super::super::cases;
use super::recorded;
use crate::block_on::block_on_ok;
use crate::fixture::{Fixture, TestAccount, together, while_written};
use crate::generate::{address, audit};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use voight_domain::metering::{LookupOutcome, LookupRequest};
use voight_domain::registry::{AuditAction, ClientChange, ClientStatus, ContextAccess, KeyChange};
use voight_domain::vocabulary::{ContextId, ContextTitle, Environment};

cases![
    revoked_key_is_rejected,
    foreign_context_is_rejected,
    shared_context_is_answered,
    suspended_client_is_rejected,
];

fn revoked_key_is_rejected(fixture: &mut Fixture) {
    let account = fixture.account();
    let is_revoked = AtomicBool::new(false);
    let look_up = || {
        let must_reject = is_revoked.load(Ordering::SeqCst);
        let outcome = fixture.answer(&fixture.request(&account, address(1)));
        let is_rejected = outcome == LookupOutcome::InvalidKey;
        assert!(
            is_rejected || !must_reject,
            "after the revocation had returned: {outcome:?}"
        );
    };
    let revoke = |writer| {
        if writer == 0 {
            recorded(fixture.answer(&fixture.request(&account, address(0))));
            let entry = audit(AuditAction::KeyRevoked, &account.key.id, fixture.now());
            block_on_ok(fixture.store().change_key(
                account.key.id,
                KeyChange::Revoke { at: fixture.now() },
                entry,
            ));
            is_revoked.store(true, Ordering::SeqCst);
        } else {
            look_up();
        }
    };
    while_written(revoke, look_up);
    expired_key_is_rejected(fixture);
}

fn expired_key_is_rejected(fixture: &Fixture) {
    let mut account = fixture.account();
    let mut key = fixture
        .make
        .key(account.client.id, account.key.environment, fixture.now());
    key.expires_at = Some(fixture.now().saturating_add(Duration::from_mins(1)));
    account.key = fixture.issue(key);
    account.context = fixture.context(&account.key);
    recorded(fixture.answer(&fixture.request(&account, address(1))));
    fixture.clock.advance(Duration::from_mins(1));
    assert_eq!(
        fixture.answer(&fixture.request(&account, address(1))),
        LookupOutcome::InvalidKey
    );
}

fn foreign_context_is_rejected(fixture: &mut Fixture) {
    let account = fixture.account();
    let sibling = fixture.context(&fixture.key(&account.client));
    let other_account = fixture.account().context;
    let Ok(title) = "quest".parse::<ContextTitle>() else {
        panic!("the title is valid")
    };
    let missing = ContextId::new(&title, fixture.now(), fixture.make.bytes());
    for context in [sibling.id, other_account.id, missing] {
        let request = LookupRequest {
            context,
            ..fixture.request(&account, address(1))
        };
        assert_eq!(
            fixture.answer(&request),
            LookupOutcome::UnknownContext,
            "{}",
            request.context
        );
    }
    assert_eq!(fixture.ledger(account.client.id), []);
    assert_eq!(
        recorded(fixture.answer(&fixture.request(&account, address(1)))).seq,
        1
    );
}

fn shared_context_is_answered(fixture: &mut Fixture) {
    let account = fixture.account();
    let other_account = fixture.account();
    let live = TestAccount {
        key: fixture.key(&account.client),
        ..fixture.account()
    };
    let sandbox = fixture
        .make
        .key(account.client.id, Environment::Sandbox, fixture.now());
    let sandbox = TestAccount {
        key: fixture.issue(sandbox),
        ..fixture.account()
    };
    let ask = |asking: &TestAccount| {
        let request = fixture.request(asking, address(1));
        fixture.answer(&LookupRequest {
            context: account.context.id.clone(),
            ..request
        })
    };
    for (access, is_shared) in [
        (ContextAccess::RegisteringKey, false),
        (ContextAccess::Client, true),
        (ContextAccess::RegisteringKey, false),
    ] {
        let entry = audit(
            AuditAction::ClientChanged,
            &account.client.id,
            fixture.now(),
        );
        let change = ClientChange::Contexts(access);
        let changed_client = block_on_ok(fixture.store().change_client(
            account.client.id,
            change.clone(),
            entry,
        ));
        assert_eq!(changed_client.map(|client| client.contexts), Some(access));
        let entry = audit(
            AuditAction::ClientChanged,
            &other_account.client.id,
            fixture.now(),
        );
        block_on_ok(
            fixture
                .store()
                .change_client(other_account.client.id, change, entry),
        );
        recorded(ask(&account));
        let outcome = ask(&live);
        assert_eq!(
            matches!(outcome, LookupOutcome::Recorded(..)),
            is_shared,
            "{access:?}: {outcome:?}"
        );
        for asking in [&sandbox, &other_account] {
            assert_eq!(ask(asking), LookupOutcome::UnknownContext, "{access:?}");
        }
    }
}

fn suspended_client_is_rejected(fixture: &mut Fixture) {
    let account = fixture.account();
    recorded(fixture.answer(&fixture.request(&account, address(1))));
    fixture.set_status(&account.client, ClientStatus::Suspended);
    let outcomes = together(|_| fixture.answer(&fixture.request(&account, address(1))));
    assert!(
        outcomes
            .iter()
            .all(|outcome| *outcome == LookupOutcome::ClientSuspended),
        "{outcomes:?}"
    );
    assert_eq!(fixture.ledger(account.client.id).len(), 1);
    fixture.set_status(&account.client, ClientStatus::Active);
    assert_eq!(
        recorded(fixture.answer(&fixture.request(&account, address(1)))).seq,
        2
    );
}
