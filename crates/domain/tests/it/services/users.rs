//! Users of the console: links, sessions, wallets and passkeys.

use crate::services::fixture::{Fixture, person};
use std::time::Duration;
use voight_domain::Origin;
use voight_domain::ports::StoreError;
use voight_domain::registry::{Actor, AuditAction, Role, User};
use voight_domain::services::{InvitedUser, ServiceError, SignInError, SignedIn};
use voight_domain::vocabulary::UserName;
use voight_support::{TestWallet, poll_now};

fn name(text: &str) -> UserName {
    text.parse().unwrap()
}

fn origin() -> Origin {
    "http://127.0.0.1:8081".parse().unwrap()
}

fn invite(bench: &Fixture, text: &str, role: Role) -> InvitedUser {
    poll_now(bench.users.invite(name(text), role)).unwrap()
}

fn redeem(bench: &Fixture, invited_user: &InvitedUser) -> Result<SignedIn, SignInError> {
    let text = invited_user.link.expose();
    poll_now(bench.users.redeem_link(&text, None, "Firefox on macOS"))
}

fn signed_in(bench: &Fixture, text: &str) -> SignedIn {
    redeem(bench, &invite(bench, text, Role::Owner)).unwrap()
}

fn has_session(bench: &Fixture, signed_in: &SignedIn) -> bool {
    poll_now(bench.users.session(&signed_in.session.expose()))
        .unwrap()
        .is_some()
}

/// Requests a signature and signs; returns the token with the signature.
fn sign(bench: &Fixture, wallet: &TestWallet) -> (String, String) {
    bench.clock.advance(Duration::from_secs(1));
    let request = bench.users.request_signature(origin(), wallet.address());
    (request.token, wallet.sign(&request.message))
}

fn add_wallet(bench: &Fixture, user: &User, wallet: &TestWallet) {
    let (token, signature) = sign(bench, wallet);
    let proof = bench.users.verify_wallet(&token, &origin(), &signature);
    poll_now(bench.users.add_wallet(user.id, proof.unwrap())).unwrap();
}

fn rejection(result: Result<SignedIn, SignInError>) -> String {
    match result.unwrap_err() {
        SignInError::Rejected(reason) => reason,
        SignInError::Store(error) => panic!("{error}"),
    }
}

fn audit(bench: &Fixture) -> Vec<(Actor, AuditAction, String)> {
    let records = poll_now(bench.ports.store.audit(0, 100)).unwrap();
    let entries = records.into_iter().map(|record| record.entry);
    entries
        .map(|entry| (entry.actor, entry.action, entry.detail))
        .collect()
}

#[test]
fn link_begins_one_session() {
    let bench = Fixture::new(person());
    let invited_user = invite(&bench, "Ada", Role::Owner);
    let link = invited_user.link.expose();
    let (user, expires_at) = poll_now(bench.users.peek_link(&link)).unwrap();
    assert_eq!(user, invited_user.user);
    assert_eq!(expires_at, invited_user.expires_at);
    let signed_in = redeem(&bench, &invited_user).unwrap();
    assert!(has_session(&bench, &signed_in));
    assert!(rejection(redeem(&bench, &invited_user)).contains("already used"));
    assert!(poll_now(bench.users.peek_link(&link)).is_err());
    assert_eq!(
        audit(&bench),
        [
            (
                Actor::Operator,
                AuditAction::UserInvited,
                "Ada, owner".to_owned()
            ),
            (
                Actor::User(name("Ada")),
                AuditAction::UserSignedIn,
                "Ada, by a link".to_owned()
            )
        ]
    );
}

#[test]
fn expired_or_replaced_link_is_rejected() {
    let bench = Fixture::new(person());
    let first_link = invite(&bench, "Ada", Role::Owner);
    let second_link = invite(&bench, "ada", Role::Owner);
    assert_eq!(first_link.user.id, second_link.user.id);
    assert!(rejection(redeem(&bench, &first_link)).contains("newer one replaced it"));
    bench.clock.advance(Duration::from_mins(15));
    assert!(rejection(redeem(&bench, &second_link)).contains("expired"));
    for text in ["", "vul_", &signed_in(&bench, "Ada").session.expose()] {
        let outcome = poll_now(bench.users.redeem_link(text, None, ""));
        assert_eq!(rejection(outcome), "the text is malformed", "{text}");
    }
    assert_eq!(audit(&bench).len(), 4, "a failed sign-in has no entry");
}

#[test]
fn invitation_keeps_the_role() {
    let bench = Fixture::new(person());
    invite(&bench, "Ada", Role::Owner);
    let error = poll_now(bench.users.invite(name("ADA"), Role::Analyst)).unwrap_err();
    let ServiceError::Store(StoreError::Conflict(text)) = error else {
        panic!("{error:?}");
    };
    assert!(text.contains("has the role owner"), "{text}");
}

#[test]
fn first_link_exists_until_a_sign_in() {
    let bench = Fixture::new(person());
    let first_link = || poll_now(bench.users.first_link()).unwrap();
    let earlier_link = first_link().unwrap();
    let newest_link = first_link().unwrap();
    assert_eq!(newest_link.user.name.as_str(), "owner");
    assert_eq!(newest_link.user.role, Role::Owner);
    assert!(redeem(&bench, &earlier_link).is_err());
    let text = newest_link.link.expose();
    let signed_in = poll_now(bench.users.redeem_link(&text, Some(name("Ada")), "")).unwrap();
    assert_eq!(signed_in.user.name.as_str(), "Ada");
    assert!(first_link().is_none());
    assert_eq!(
        audit(&bench).last(),
        Some(&(
            Actor::User(name("Ada")),
            AuditAction::UserSignedIn,
            "Ada, by a link, earlier name \"owner\"".to_owned()
        ))
    );
}

#[test]
fn used_session_lasts_a_week() {
    let bench = Fixture::new(person());
    let signed_in = signed_in(&bench, "Ada");
    for _ in 0..7 * 24 - 1 {
        bench.clock.advance(Duration::from_hours(1));
        assert!(has_session(&bench, &signed_in));
    }
    bench.clock.advance(Duration::from_hours(1));
    assert!(!has_session(&bench, &signed_in));
    assert_eq!(audit(&bench).len(), 2, "the use of a session has no entry");
}

#[test]
fn session_ends_by_request_role_or_removal() {
    let bench = Fixture::new(person());
    signed_in(&bench, "Ada");
    let bob = || redeem(&bench, &invite(&bench, "Bob", Role::Analyst)).unwrap();
    let session = bob();
    let digest = bench.ports.secrets.user_secret_digest(&session.session);
    poll_now(bench.users.end_session(session.user.id, digest)).unwrap();
    assert!(!has_session(&bench, &session));
    let session = bob();
    poll_now(bench.users.end_sessions(session.user.id)).unwrap();
    assert!(!has_session(&bench, &session));
    let session = bob();
    poll_now(bench.users.set_role(session.user.id, Role::Billing)).unwrap();
    assert!(!has_session(&bench, &session));
    poll_now(bench.users.set_role(session.user.id, Role::Analyst)).unwrap();
    let session = bob();
    poll_now(bench.users.remove(session.user.id)).unwrap();
    assert!(!has_session(&bench, &session));
    assert_ne!(
        invite(&bench, "Bob", Role::Analyst).user.id,
        session.user.id
    );
}

#[test]
fn wallet_signs_in_its_user() {
    let bench = Fixture::new(person());
    let wallet = TestWallet::new(7);
    let ada = signed_in(&bench, "Ada");
    let sign_in = |origin: Origin, token: &str, signature: &str| {
        poll_now(
            bench
                .users
                .sign_in_with_wallet(token, &origin, signature, ""),
        )
    };
    let (token, signature) = sign(&bench, &wallet);
    assert_eq!(
        rejection(sign_in(origin(), &token, &signature)),
        "no user has the wallet"
    );
    add_wallet(&bench, &ada.user, &wallet);
    let (token, signature) = sign(&bench, &wallet);
    let (_, other_signature) = sign(&bench, &TestWallet::new(8));
    assert!(sign_in(origin(), &token, &other_signature).is_err());
    let other_origin = "http://127.0.0.1:9".parse().unwrap();
    assert!(sign_in(other_origin, &token, &signature).is_err());
    let session = sign_in(origin(), &token, &signature).unwrap();
    assert_eq!(session.user.id, ada.user.id);
    assert!(has_session(&bench, &session));
    assert!(rejection(sign_in(origin(), &token, &signature)).contains("already used"));
    let (token, signature) = sign(&bench, &wallet);
    bench.clock.advance(Duration::from_mins(5));
    assert!(rejection(sign_in(origin(), &token, &signature)).contains("expired"));
    let text = format!("{:?}", audit(&bench)).to_lowercase();
    let address = wallet.address().to_lower_hex();
    assert!(!text.contains(&address[2..]), "the log holds no address");
    poll_now(bench.users.remove_wallet(ada.user.id, wallet.address())).unwrap();
    let (token, signature) = sign(&bench, &wallet);
    assert!(sign_in(origin(), &token, &signature).is_err());
}

#[test]
fn passkey_signs_in_and_proves() {
    let bench = Fixture::new(person());
    let ada = signed_in(&bench, "Ada");
    let id = ada.user.id;
    let label = "laptop".parse().unwrap();
    poll_now(bench.users.add_passkey(id, vec![1; 16], label, vec![1])).unwrap();
    let (user, passkey) = poll_now(bench.users.find_passkey(id, &[1; 16]))
        .unwrap()
        .unwrap();
    assert_eq!((user.id, passkey.state), (id, vec![1]));
    let session = poll_now(
        bench
            .users
            .sign_in_with_passkey(id, vec![1; 16], vec![2], "phone"),
    )
    .unwrap();
    assert_eq!(session.user.passkeys[0].state, [2]);
    bench.clock.advance(Duration::from_mins(5));
    let wallet = TestWallet::new(7);
    add_wallet(&bench, &ada.user, &wallet);
    let text = session.session.expose();
    let (_, state) = poll_now(bench.users.session(&text)).unwrap().unwrap();
    assert!(!state.is_fresh(bench.ports.clock.now()));
    let (token, signature) = sign(&bench, &wallet);
    let proof = bench.users.verify_wallet(&token, &origin(), &signature);
    poll_now(bench.users.prove(id, state.digest, proof.unwrap())).unwrap();
    let (_, state) = poll_now(bench.users.session(&text)).unwrap().unwrap();
    assert!(state.is_fresh(bench.ports.clock.now()));
    poll_now(bench.users.remove_passkey(id, &[1; 16])).unwrap();
    let removed_passkey = poll_now(bench.users.find_passkey(id, &[1; 16]));
    assert_eq!(removed_passkey.unwrap(), None);
}

#[test]
fn user_is_found_by_name_or_id() {
    let bench = Fixture::new(person());
    let ada = invite(&bench, "Ada", Role::Owner).user;
    for reference in ["ada", &ada.id.to_string(), &ada.id.to_string()[..20]] {
        assert_eq!(poll_now(bench.users.find(reference)).unwrap(), ada);
    }
    assert_eq!(
        poll_now(bench.users.find("bob")),
        Err(ServiceError::NotFound("user \"bob\"".to_owned()))
    );
    let error = poll_now(bench.users.remove(ada.id)).unwrap_err();
    assert!(error.to_string().contains("only owner"), "{error}");
}
