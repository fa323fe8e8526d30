//! Promises of `AdminTokenStore`.

use super::cases;
use crate::block_on::{block_on, block_on_ok};
use crate::fixture::{ALL, Fixture, together};
use crate::generate::audit;
use std::time::Duration;
use voight_domain::ports::{AuditRecord, StoreError};
use voight_domain::registry::{AdminToken, AdminTokenChange, AuditAction};
use voight_domain::vocabulary::AdminTokenId;

cases![
    token_name_is_unique,
    rotation_raises_the_generation,
    revoked_token_stays_revoked
];

fn token(fixture: &Fixture, name: &str) -> AdminToken {
    fixture.make.admin_token(name, fixture.now())
}

fn create(fixture: &Fixture, token: &AdminToken) -> Result<(), StoreError> {
    let entry = audit(AuditAction::AdminTokenCreated, &token.id, fixture.now());
    block_on(fixture.store().create_admin_token(token.clone(), entry))
}

fn change(
    fixture: &Fixture,
    id: AdminTokenId,
    change: AdminTokenChange,
) -> Result<Option<AdminToken>, StoreError> {
    let action = match change {
        AdminTokenChange::Rotate { .. } => AuditAction::AdminTokenRotated,
        AdminTokenChange::Revoke { .. } => AuditAction::AdminTokenRevoked,
    };
    block_on(
        fixture
            .store()
            .change_admin_token(id, change, audit(action, &id, fixture.now())),
    )
}

/// Returns the actions in the audit log.
fn log(fixture: &Fixture) -> Vec<AuditAction> {
    let action = |record: AuditRecord| record.entry.action;
    block_on_ok(fixture.store().audit(0, ALL))
        .into_iter()
        .map(action)
        .collect()
}

fn token_name_is_unique(fixture: &mut Fixture) {
    assert_eq!(block_on_ok(fixture.store().admin_tokens()), []);
    // Only one of the concurrent calls creates a token with the name.
    let outcomes = together(|_| {
        let token = token(fixture, "ci");
        create(fixture, &token).map(|()| token)
    });
    let created_tokens: Vec<_> = outcomes.iter().flatten().collect();
    let conflict_count = outcomes
        .iter()
        .filter(|outcomes| matches!(outcomes, Err(StoreError::Conflict(_))))
        .count();
    assert_eq!(
        (created_tokens.len(), conflict_count),
        (1, outcomes.len() - 1),
        "{outcomes:?}"
    );
    let first = created_tokens[0].clone();
    assert_eq!(create(fixture, &first), Ok(()), "a repetition");
    let second = token(fixture, "cd");
    assert_eq!(create(fixture, &second), Ok(()));
    assert_eq!(
        change(
            fixture,
            first.id,
            AdminTokenChange::Revoke { at: fixture.now() }
        )
        .map(|token| token.is_some()),
        Ok(true)
    );
    let replacement = token(fixture, "ci");
    assert_eq!(
        create(fixture, &replacement),
        Ok(()),
        "the name of a revoked token can be reused"
    );
    let mut ids = [first.id, second.id, replacement.id];
    ids.sort();
    let listed_ids: Vec<_> = block_on_ok(fixture.store().admin_tokens())
        .into_iter()
        .map(|token| token.id)
        .collect();
    assert_eq!(
        listed_ids, ids,
        "tokens are listed in the order of their ids"
    );
    let token_created = AuditAction::AdminTokenCreated;
    assert_eq!(
        log(fixture),
        [
            token_created,
            token_created,
            AuditAction::AdminTokenRevoked,
            token_created
        ],
        "every change is audited once"
    );
}

fn rotation_raises_the_generation(fixture: &mut Fixture) {
    let token = token(fixture, "ci");
    let rotate = |generation| change(fixture, token.id, AdminTokenChange::Rotate { generation });
    assert_eq!(rotate(1), Ok(None), "the token does not exist");
    assert_eq!(create(fixture, &token), Ok(()));
    for generation in 1..=3 {
        let rotated_token = AdminToken {
            generation,
            ..token.clone()
        };
        // All concurrent rotations request the same generation.
        assert!(
            together(|_| rotate(generation))
                .iter()
                .all(|outcome| outcome.as_ref() == Ok(&Some(rotated_token.clone())))
        );
        for other in [generation - 1, generation + 2, u32::MAX] {
            assert!(
                matches!(rotate(other), Err(StoreError::Conflict(_))),
                "{other} was assigned after {generation}"
            );
        }
        assert_eq!(
            block_on_ok(fixture.store().admin_token(token.id)),
            Some(rotated_token)
        );
    }
    let token_rotated = AuditAction::AdminTokenRotated;
    assert_eq!(
        log(fixture),
        [
            AuditAction::AdminTokenCreated,
            token_rotated,
            token_rotated,
            token_rotated
        ],
        "every change is audited once"
    );
}

fn revoked_token_stays_revoked(fixture: &mut Fixture) {
    let token = token(fixture, "ci");
    assert_eq!(create(fixture, &token), Ok(()));
    let revoke = || {
        change(
            fixture,
            token.id,
            AdminTokenChange::Revoke { at: fixture.now() },
        )
    };
    let revoked_token = AdminToken {
        revoked_at: Some(fixture.now()),
        ..token.clone()
    };
    assert_eq!(revoke(), Ok(Some(revoked_token.clone())));
    fixture.clock.advance(Duration::from_secs(9));
    assert_eq!(
        revoke(),
        Ok(Some(revoked_token.clone())),
        "the time of revocation has changed"
    );
    let rotation = change(
        fixture,
        token.id,
        AdminTokenChange::Rotate { generation: 1 },
    );
    assert!(
        matches!(rotation, Err(StoreError::Conflict(_))),
        "{rotation:?}"
    );
    assert_eq!(create(fixture, &token), Ok(()), "a repetition");
    assert_eq!(
        block_on_ok(fixture.store().admin_token(token.id)),
        Some(revoked_token)
    );
    assert_eq!(
        log(fixture),
        [
            AuditAction::AdminTokenCreated,
            AuditAction::AdminTokenRevoked
        ]
    );
}
