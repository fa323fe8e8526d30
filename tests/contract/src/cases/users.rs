//! Promises of `UserStore`.

use super::cases;
use crate::block_on::{block_on, block_on_ok};
use crate::fixture::{ALL, Fixture, together};
use crate::generate::{audit, parsed};
use voight_domain::EoaAddress;
use voight_domain::ports::StoreError;
use voight_domain::registry::{
    AuditAction, Passkey, Role, SEEN_RESOLUTION, User, UserChange, UserWallet,
};

cases![
    user_name_is_unique,
    sign_in_link_works_once,
    one_owner_remains,
    passkey_belongs_to_one_user
];

type Outcome = Result<Option<User>, StoreError>;

fn create(fixture: &Fixture, user: &User) -> Result<(), StoreError> {
    let entry = audit(AuditAction::UserInvited, &user.id, fixture.now());
    block_on(fixture.store().create_user(user.clone(), entry))
}

/// Creates an owner with this name.
fn created(fixture: &Fixture, name: &str) -> User {
    let user = fixture.make.user(name, fixture.now());
    assert_eq!(create(fixture, &user), Ok(()));
    user
}

fn change(fixture: &Fixture, user: &User, change: UserChange) -> Outcome {
    let entry = audit(AuditAction::UserChanged, &user.id, fixture.now());
    block_on(fixture.store().change_user(user.id, change, Some(entry)))
}

fn count_entries(fixture: &Fixture) -> usize {
    block_on_ok(fixture.store().audit(0, ALL)).len()
}

/// Asserts that only one of the outcomes is a change, and the others are conflicts.
#[track_caller]
fn assert_one_change<T: std::fmt::Debug>(outcomes: &[Result<T, StoreError>]) {
    let change_count = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    let conflict_count = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Err(StoreError::Conflict(_))))
        .count();
    assert_eq!(
        (change_count, conflict_count),
        (1, outcomes.len() - 1),
        "{outcomes:?}"
    );
}

fn user_name_is_unique(fixture: &mut Fixture) {
    assert_eq!(block_on_ok(fixture.store().users()), []);
    let outcomes = together(|number| {
        let name = if number % 2 == 0 { "Ada" } else { "ADA" };
        let user = fixture.make.user(name, fixture.now());
        create(fixture, &user).map(|()| user)
    });
    assert_one_change(&outcomes);
    let Some(ada) = outcomes.into_iter().find_map(Result::ok) else {
        panic!("no user was created");
    };
    assert_eq!(create(fixture, &ada), Ok(()), "a repetition");
    let bob = created(fixture, "Bob");
    let removal = UserChange::Remove { at: fixture.now() };
    let removed_ada = change(fixture, &ada, removal.clone());
    assert!(matches!(&removed_ada, Ok(Some(user)) if !user.is_active()));
    assert_eq!(change(fixture, &ada, removal), removed_ada, "a repetition");
    let second_ada = created(fixture, "ada");
    let mut ids = [ada.id, bob.id, second_ada.id];
    ids.sort();
    let listed_users = block_on_ok(fixture.store().users());
    let listed_ids: Vec<_> = listed_users.iter().map(|user| user.id).collect();
    assert_eq!(
        listed_ids, ids,
        "users are listed in the order of their ids"
    );
    for user in listed_users {
        assert_eq!(block_on_ok(fixture.store().user(user.id)), Some(user));
    }
    assert_eq!(count_entries(fixture), 4, "every change is audited once");
}

fn sign_in_link_works_once(fixture: &mut Fixture) {
    let ada = fixture.make.user("Ada", fixture.now());
    let redeem = || fixture.make.link_redemption(&ada, fixture.now());
    assert_eq!(change(fixture, &ada, redeem()), Ok(None));
    assert_eq!(create(fixture, &ada), Ok(()));
    let outcomes = together(|_| {
        let redemption = redeem();
        change(fixture, &ada, redemption.clone()).map(|user| (redemption, user))
    });
    assert_one_change(&outcomes);
    let winner = outcomes.into_iter().find_map(Result::ok);
    let Some((redemption, Some(user))) = winner else {
        panic!("no link was used");
    };
    assert_eq!(
        change(fixture, &ada, redemption),
        Ok(Some(user.clone())),
        "a repetition"
    );
    assert_eq!(count_entries(fixture), 2, "every change is audited once");
    fixture.clock.advance(SEEN_RESOLUTION);
    let now = fixture.now();
    assert_eq!(user.sessions.len(), 1);
    let touch = UserChange::Touch {
        session: user.sessions[0].digest,
        at: now,
    };
    let seen_user = block_on_ok(fixture.store().change_user(user.id, touch, None));
    let seen_at = seen_user.as_ref().and_then(|user| user.seen_at);
    assert_eq!(seen_at, Some(now));
    assert_eq!(block_on_ok(fixture.store().user(ada.id)), seen_user);
    assert_eq!(
        count_entries(fixture),
        2,
        "the use of a session is not audited"
    );
}

fn one_owner_remains(fixture: &mut Fixture) {
    let owners: Vec<_> = (0..4)
        .map(|number| created(fixture, &format!("owner {number}")))
        .collect();
    let now = fixture.now();
    // Each call removes or demotes another owner.
    let outcomes = together(|number| {
        let owner = &owners[number % owners.len()];
        let demotion = UserChange::SetRole {
            role: Role::Analyst,
        };
        let removal = UserChange::Remove { at: now };
        let order = if number % 2 == 0 { demotion } else { removal };
        change(fixture, owner, order)
    });
    let users = block_on_ok(fixture.store().users());
    let owner_count = users
        .iter()
        .filter(|user| user.is_active() && user.role == Role::Owner)
        .count();
    assert_eq!(owner_count, 1, "{outcomes:?}");
}

fn passkey_belongs_to_one_user(fixture: &mut Fixture) {
    let users = ["Ada", "Bob"].map(|name| created(fixture, name));
    let now = fixture.now();
    let passkey = Passkey {
        credential_id: vec![7; 32],
        label: parsed("laptop"),
        state: vec![1, 2, 3],
        created_at: now,
        used_at: None,
    };
    let wallet = UserWallet {
        address: EoaAddress::from_bytes([7; 20]),
        created_at: now,
        last_proof: now,
    };
    for addition in [
        UserChange::AddPasskey(passkey.clone()),
        UserChange::AddWallet(wallet),
    ] {
        let outcomes =
            together(|number| change(fixture, &users[number % users.len()], addition.clone()));
        assert!(outcomes.iter().any(Result::is_ok), "{outcomes:?}");
    }
    let stored_users = block_on_ok(fixture.store().users());
    let passkeys: Vec<_> = stored_users
        .iter()
        .flat_map(|user| &user.passkeys)
        .collect();
    assert_eq!(passkeys, [&passkey]);
    let wallets: Vec<_> = stored_users.iter().flat_map(|user| &user.wallets).collect();
    assert_eq!(wallets, [&wallet]);
    assert_eq!(count_entries(fixture), 4, "every change is audited once");
}
