//! Promises of `ReceiptStore`.

use super::cases;
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, Fixture, THREADS, TestAccount, together};
use crate::generate::{address, audit};
use std::time::Duration;
use voight_domain::check::{RECEIPT_TTL, RedeemOutcome, Redemption};
use voight_domain::metering::{IdempotencyInput, LedgerId, LookupOutcome, LookupRequest};
use voight_domain::ports::RegisterOutcome;
use voight_domain::registry::{AuditAction, KeyChange};
use voight_domain::vocabulary::Environment;

cases![
    redeem_once_under_concurrency,
    redemption_is_durable needs DurableAck,
    redemption_is_replayed,
    redemption_key_reuse_is_rejected,
    foreign_receipt_is_forged,
    revoked_key_redeems_nothing,
    receipt_of_another_environment_is_forged,
    receipt_expires,
    redemption_is_no_lookup,
];

/// Returns a redemption of a new receipt of the account's context, without an idempotency key.
fn redemption(fixture: &Fixture, account: &TestAccount) -> Redemption {
    let receipt = fixture
        .make
        .receipt(&account.context, address(1), fixture.now());
    fixture.make.redemption(&account.context, &receipt)
}

/// Adds a new idempotency key to a redemption.
fn with_idempotency_key(fixture: &Fixture, redemption: &Redemption) -> Redemption {
    Redemption {
        idempotency: Some(fixture.make.redemption_idempotency(&redemption.receipt)),
        ..redemption.clone()
    }
}

fn redeem_once_under_concurrency(fixture: &mut Fixture) {
    let account = fixture.account();
    for has_key in [false, true] {
        let receipt_redemption = redemption(fixture, &account);
        let outcomes = together(|_| {
            // Each caller has its own idempotency key, if any.
            let request = if has_key {
                with_idempotency_key(fixture, &receipt_redemption)
            } else {
                receipt_redemption.clone()
            };
            fixture.redeem(&request)
        });
        let count = |expected_outcome| {
            outcomes
                .iter()
                .filter(|outcome| **outcome == expected_outcome)
                .count()
        };
        let used_outcome = RedeemOutcome::Used { at: fixture.now() };
        assert_eq!(
            (count(RedeemOutcome::Valid), count(used_outcome)),
            (1, THREADS - 1),
            "{outcomes:?}"
        );
    }
}

fn redemption_is_durable(fixture: &mut Fixture) {
    let account = fixture.account();
    let without_key = redemption(fixture, &account);
    let with_key = redemption(fixture, &account);
    let with_key = with_idempotency_key(fixture, &with_key);
    for request in [&without_key, &with_key] {
        assert_eq!(fixture.redeem(request), RedeemOutcome::Valid);
    }
    let at = fixture.now();
    fixture.clock.advance(Duration::from_secs(1));
    for _ in 0..2 {
        fixture.reopen();
        assert_eq!(fixture.redeem(&without_key), RedeemOutcome::Used { at });
        assert_eq!(
            fixture.redeem(&with_key),
            RedeemOutcome::Replayed,
            "the idempotency record is lost"
        );
        let without_key = Redemption {
            idempotency: None,
            ..with_key.clone()
        };
        assert_eq!(fixture.redeem(&without_key), RedeemOutcome::Used { at });
    }
}

fn redemption_is_replayed(fixture: &mut Fixture) {
    let account = fixture.account();
    let receipt_redemption = with_idempotency_key(fixture, &redemption(fixture, &account));
    let outcomes = together(|_| fixture.redeem(&receipt_redemption));
    let count = |expected_outcome| {
        outcomes
            .iter()
            .filter(|outcome| **outcome == expected_outcome)
            .count()
    };
    assert_eq!(
        (count(RedeemOutcome::Valid), count(RedeemOutcome::Replayed)),
        (1, THREADS - 1),
        "{outcomes:?}"
    );
    let at = fixture.now();
    fixture.clock.advance(RECEIPT_TTL);
    assert_eq!(
        fixture.redeem(&receipt_redemption),
        RedeemOutcome::Replayed,
        "a retry came late"
    );
    let used_outcome = RedeemOutcome::Used { at };
    assert_eq!(
        fixture.redeem(&with_idempotency_key(fixture, &receipt_redemption)),
        used_outcome
    );
    assert_eq!(
        fixture.redeem(&Redemption {
            idempotency: None,
            ..receipt_redemption
        }),
        used_outcome
    );
}

fn redemption_key_reuse_is_rejected(fixture: &mut Fixture) {
    let account = fixture.account();
    let first = redemption(fixture, &account);
    let second = redemption(fixture, &account);
    let first = with_idempotency_key(fixture, &first);
    assert_eq!(fixture.redeem(&first), RedeemOutcome::Valid);
    let own_redemption = with_idempotency_key(fixture, &second);
    for used_key in [
        first.idempotency,
        a_lookup_s(fixture, &account),
        a_registration_s(fixture, &account),
    ] {
        let idempotency = used_key
            .zip(own_redemption.idempotency)
            .map(|(used_key, own_key)| IdempotencyInput {
                key_digest: used_key.key_digest,
                ..own_key
            });
        let reusing_redemption = Redemption {
            idempotency,
            ..second.clone()
        };
        assert_eq!(
            fixture.redeem(&reusing_redemption),
            RedeemOutcome::KeyReused
        );
    }
    assert_eq!(
        fixture.redeem(&own_redemption),
        RedeemOutcome::Valid,
        "a rejected redemption used the receipt"
    );
    let lookup = LookupRequest {
        idempotency: own_redemption.idempotency,
        ..fixture.request(&account, address(1))
    };
    assert_eq!(
        fixture.answer(&lookup),
        LookupOutcome::IdempotencyKeyReused,
        "a redemption was replayed as a lookup"
    );
}

/// Returns the idempotency key of an answered lookup.
fn a_lookup_s(fixture: &Fixture, account: &TestAccount) -> Option<IdempotencyInput> {
    let request = LookupRequest {
        idempotency: Some(fixture.make.idempotency()),
        ..fixture.request(account, address(1))
    };
    assert!(matches!(
        fixture.answer(&request),
        LookupOutcome::Recorded(..)
    ));
    request.idempotency
}

/// Returns the idempotency key of a registered context.
fn a_registration_s(fixture: &Fixture, account: &TestAccount) -> Option<IdempotencyInput> {
    let idempotency = Some(fixture.make.idempotency());
    let context = fixture.make.context(&account.key, fixture.now());
    let entry = audit(AuditAction::ContextRegistered, &context.id, fixture.now());
    let outcome = block_on_ok(
        fixture
            .store()
            .register_context(context, idempotency, entry),
    );
    assert!(
        matches!(outcome, RegisterOutcome::Registered(_)),
        "{outcome:?}"
    );
    idempotency
}

fn foreign_receipt_is_forged(fixture: &mut Fixture) {
    let account = fixture.account();
    let other_client = fixture.account();
    let own_redemption = redemption(fixture, &account);
    // An API key of another client, and another API key of the same client.
    for key in [other_client.key.id, fixture.key(&account.client).id] {
        let foreign = Redemption {
            key,
            ..with_idempotency_key(fixture, &own_redemption)
        };
        assert_eq!(fixture.redeem(&foreign), RedeemOutcome::Forged);
    }
    let nowhere = fixture.make.context(&account.key, fixture.now());
    let receipt = fixture.make.receipt(&nowhere, address(1), fixture.now());
    assert_eq!(
        fixture.redeem(&fixture.make.redemption(&nowhere, &receipt)),
        RedeemOutcome::Forged
    );
    assert_eq!(
        fixture.redeem(&own_redemption),
        RedeemOutcome::Valid,
        "another client used the receipt"
    );
}

fn revoked_key_redeems_nothing(fixture: &mut Fixture) {
    let account = fixture.account();
    let [before, after] = [(); 2].map(|()| redemption(fixture, &account));
    assert_eq!(fixture.redeem(&before), RedeemOutcome::Valid);
    let entry = audit(AuditAction::KeyRevoked, &account.key.id, fixture.now());
    block_on_ok(fixture.store().change_key(
        account.key.id,
        KeyChange::Revoke { at: fixture.now() },
        entry,
    ));
    for request in [&before, &after] {
        assert_eq!(fixture.redeem(request), RedeemOutcome::KeyRejected);
    }
}

fn receipt_of_another_environment_is_forged(fixture: &mut Fixture) {
    let live = fixture.account();
    let key = fixture.issue(
        fixture
            .make
            .key(live.client.id, Environment::Sandbox, fixture.now()),
    );
    let sandbox = TestAccount {
        context: fixture.context(&key),
        key,
        client: live.client.clone(),
    };
    for (account, other) in [(&live, Environment::Sandbox), (&sandbox, Environment::Live)] {
        let mut request = redemption(fixture, account);
        request.receipt.environment = other;
        assert_eq!(fixture.redeem(&request), RedeemOutcome::Forged);
        request.receipt.environment = account.context.environment;
        assert_eq!(fixture.redeem(&request), RedeemOutcome::Valid);
    }
}

fn receipt_expires(fixture: &mut Fixture) {
    let account = fixture.account();
    let [last, late, used] = [(); 3].map(|()| redemption(fixture, &account));
    assert_eq!(fixture.redeem(&used), RedeemOutcome::Valid);
    let at = fixture.now();
    fixture
        .clock
        .advance(RECEIPT_TTL.saturating_sub(Duration::from_millis(1)));
    assert_eq!(fixture.redeem(&last), RedeemOutcome::Valid);
    fixture.clock.advance(Duration::from_millis(1));
    assert_eq!(fixture.redeem(&late), RedeemOutcome::Expired);
    assert_eq!(fixture.redeem(&used), RedeemOutcome::Used { at });
    // Redemption records are purged as new ones are added, long after their receipts have expired.
    for _ in 0..4 {
        fixture.clock.advance(Duration::from_hours(24));
        assert_eq!(
            fixture.redeem(&redemption(fixture, &account)),
            RedeemOutcome::Valid
        );
        for old in [&last, &late, &used] {
            assert_eq!(fixture.redeem(old), RedeemOutcome::Expired);
        }
    }
}

fn redemption_is_no_lookup(fixture: &mut Fixture) {
    let account = fixture.account();
    let receipt_redemption = with_idempotency_key(fixture, &redemption(fixture, &account));
    assert_eq!(
        [
            fixture.redeem(&receipt_redemption),
            fixture.redeem(&receipt_redemption)
        ],
        [RedeemOutcome::Valid, RedeemOutcome::Replayed]
    );
    assert_eq!(fixture.ledger(account.client.id), []);
    assert_eq!(
        block_on_ok(fixture.store().meter(LedgerId::live(account.client.id))),
        None
    );
    assert_eq!(
        block_on_ok(
            fixture
                .store()
                .timeline(&account.context.id, &address(1), ALL)
        ),
        []
    );
}
