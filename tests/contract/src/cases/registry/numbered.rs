//! Names, numbers, idempotency keys and secrets.

use super::super::cases;
use crate::block_on::{block_on, block_on_ok};
use crate::fixture::{ALL, Fixture, THREADS, together};
use crate::generate::{address, audit, current};
use std::time::Duration;
use voight_domain::metering::{IdempotencyInput, LookupOutcome, LookupRequest};
use voight_domain::ports::{ContextFilter, RegisterOutcome, StoreError};
use voight_domain::registry::{AuditAction, Context, Key, NewClient};
use voight_domain::vocabulary::Environment;

/// Number of threads on each side of a case with two sides.
const HALF: usize = THREADS / 2;

cases![
    client_name_is_unique,
    key_numbers_count_up,
    rotated_secret_finds_its_key,
    context_numbers_count_up,
    registration_retry_is_replayed,
];

fn client_name_is_unique(fixture: &mut Fixture) {
    let name = fixture.make.client(fixture.now()).name;
    let create = |client: NewClient| {
        let entry = audit(AuditAction::ClientCreated, &client.id, fixture.now());
        block_on(fixture.store().create_client(client, entry))
    };
    let outcomes = together(|_| {
        create(NewClient {
            name: name.clone(),
            ..fixture.make.client(fixture.now())
        })
    });
    let clients: Vec<_> = outcomes
        .iter()
        .filter_map(|outcome| outcome.as_ref().ok())
        .collect();
    let conflicts = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Err(StoreError::Conflict(_))))
        .count();
    assert_eq!((clients.len(), conflicts), (1, THREADS - 1), "{outcomes:?}");
    assert_eq!(
        block_on_ok(fixture.store().client_named(&name)).as_ref(),
        clients.first().copied()
    );
    assert_eq!(block_on_ok(fixture.store().clients(None, ALL)).len(), 1);
    let same_id = NewClient {
        id: clients[0].id,
        ..fixture.make.client(fixture.now())
    };
    assert!(
        matches!(create(same_id), Err(StoreError::Conflict(_))),
        "an id was given to two clients"
    );
    assert_eq!(
        block_on_ok(fixture.store().client(clients[0].id)).as_ref(),
        clients.first().copied()
    );
}

fn key_numbers_count_up(fixture: &mut Fixture) {
    let clients = [fixture.client(), fixture.client()];
    let mut keys = together(|thread| fixture.key(&clients[thread % 2]));
    keys.sort_by_key(|key| (key.client != clients[0].id, key.number));
    let numbers: Vec<_> = keys.iter().map(|key| key.number as usize).collect();
    let expected_numbers: Vec<_> = (1..=HALF).chain(1..=HALF).collect();
    assert_eq!(numbers, expected_numbers);
    for key in &keys {
        assert_eq!(block_on_ok(fixture.store().key(key.id)).as_ref(), Some(key));
    }
    let mut copy = fixture
        .make
        .key(clients[1].id, Environment::Live, fixture.now());
    copy.secrets.clone_from(&keys[0].secrets);
    let entry = audit(AuditAction::KeyIssued, &copy.id, fixture.now());
    let outcome = block_on(fixture.store().create_key(copy, entry));
    assert!(
        matches!(outcome, Err(StoreError::Conflict(_))),
        "one secret opens two keys: {outcome:?}"
    );
    assert_eq!(
        fixture.key(&clients[1]).number as usize,
        HALF + 1,
        "the rejected key used a number"
    );
}

fn rotated_secret_finds_its_key(fixture: &mut Fixture) {
    let account = fixture.account();
    let old = account.key.clone();
    let overlap_until = fixture.now().saturating_add(Duration::from_hours(24));
    let rotated_key = fixture.rotate(&old, overlap_until);
    for digest in [current(&old), current(&rotated_key)] {
        let found_key = block_on_ok(fixture.store().key_by_digest(digest));
        assert_eq!(
            found_key.map(|found_key| (found_key.key, found_key.client)),
            Some((rotated_key.clone(), account.client.clone()))
        );
        let outcome = fixture.answer(&LookupRequest {
            key: digest,
            ..fixture.request(&account, address(1))
        });
        assert!(
            matches!(outcome, LookupOutcome::Recorded(..)),
            "{outcome:?}"
        );
    }
    assert_eq!(
        (rotated_key.id, rotated_key.number),
        (old.id, old.number),
        "rotation changed the key's identity"
    );
    fixture.clock.set(overlap_until);
    let outcome = fixture.answer(&fixture.request(&account, address(1)));
    assert_eq!(
        outcome,
        LookupOutcome::InvalidKey,
        "the old secret outlives its overlap"
    );
    let second_rotation = fixture.rotate(&rotated_key, overlap_until);
    assert_eq!(
        block_on_ok(fixture.store().key_by_digest(current(&old))),
        None,
        "a removed secret still finds the key"
    );
    assert_eq!(
        block_on_ok(fixture.store().key_by_digest(current(&second_rotation)))
            .map(|found_key| found_key.key),
        Some(second_rotation)
    );
}

fn context_numbers_count_up(fixture: &mut Fixture) {
    let keys = [fixture.account().key, fixture.account().key];
    let mut contexts = together(|thread| fixture.context(&keys[thread % 2]));
    contexts.sort_by_key(|context| (context.client != keys[0].client, context.number));
    let numbers: Vec<_> = contexts
        .iter()
        .map(|context| context.number as usize)
        .collect();
    let expected_numbers: Vec<_> = (2..=HALF + 1).chain(2..=HALF + 1).collect();
    assert_eq!(numbers, expected_numbers);
    for context in &contexts {
        assert_eq!(
            block_on_ok(fixture.store().context(&context.id)).as_ref(),
            Some(context)
        );
    }
    let second = fixture.issue(fixture.make.key(
        keys[0].client,
        Environment::Sandbox,
        fixture.now(),
    ));
    assert_eq!(
        fixture.context(&second).number as usize,
        HALF + 2,
        "each key has its own sequence"
    );
}

fn registration_retry_is_replayed(fixture: &mut Fixture) {
    let account = fixture.account();
    let idempotency = fixture.make.idempotency();
    let register = |idempotency, key: &Key| {
        let context = fixture.make.context(key, fixture.now());
        let entry = audit(AuditAction::ContextRegistered, &context.id, fixture.now());
        block_on_ok(
            fixture
                .store()
                .register_context(context, Some(idempotency), entry),
        )
    };
    let outcomes = together(|_| register(idempotency, &account.key));
    let first: Vec<_> = outcomes.iter().filter_map(registered).collect();
    let [first] = first[..] else {
        panic!("not registered exactly once: {outcomes:?}")
    };
    let replay_count = outcomes
        .iter()
        .filter(|outcome| **outcome == RegisterOutcome::Replayed(first.id.clone()))
        .count();
    assert_eq!(replay_count, THREADS - 1, "{outcomes:?}");
    let contexts = block_on_ok(fixture.store().contexts(
        ContextFilter::Client(account.client.id),
        None,
        ALL,
    ));
    assert_eq!(contexts.len(), 2);
    let other_idempotency = IdempotencyInput {
        fingerprint: fixture.make.idempotency().fingerprint,
        ..idempotency
    };
    assert_eq!(
        register(other_idempotency, &account.key),
        RegisterOutcome::IdempotencyKeyReused
    );
    assert!(
        registered(&register(other_idempotency, &fixture.account().key)).is_some(),
        "clients share their idempotency records"
    );
    fixture.clock.advance(Duration::from_hours(24));
    assert!(
        registered(&register(other_idempotency, &account.key)).is_some(),
        "the idempotency record has not expired after 24 hours"
    );
}

/// Returns the context if the outcome is a new registration.
fn registered(outcome: &RegisterOutcome) -> Option<&Context> {
    match outcome {
        RegisterOutcome::Registered(context) => Some(context),
        RegisterOutcome::Replayed(_)
        | RegisterOutcome::IdempotencyKeyReused
        | RegisterOutcome::KeyRejected => None,
    }
}
