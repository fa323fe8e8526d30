use super::*;
use crate::registry::UserChange;

const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);
const MINUTE: Duration = Duration::from_mins(1);

const fn digest(byte: u8) -> UserSecretDigest {
    UserSecretDigest([byte; 32])
}

fn link(byte: u8) -> SignInLink {
    SignInLink {
        digest: digest(byte),
        expires_at: NOW.saturating_add(SIGN_IN_LINK_LIFETIME),
        used_at: None,
    }
}

fn user(id: u8, name: &str, role: Role) -> User {
    let id_bytes = [id; 16];
    User::new(
        UserId::from_bytes(id_bytes),
        name.parse().unwrap(),
        role,
        NOW,
        link(id),
    )
}

fn session(byte: u8, at: Timestamp) -> UserSession {
    UserSession::new(digest(byte), at, "Firefox on macOS")
}

fn passkey(id: u8) -> Passkey {
    Passkey {
        credential_id: vec![id; 16],
        label: "laptop".parse().unwrap(),
        state: vec![id],
        created_at: NOW,
        used_at: None,
    }
}

fn wallet(byte: u8) -> UserWallet {
    UserWallet {
        address: EoaAddress::from_bytes([byte; 20]),
        created_at: NOW,
        last_proof: NOW,
    }
}

fn redeem(byte: u8, at: Timestamp) -> UserChange {
    UserChange::RedeemLink {
        digest: digest(1),
        session: session(byte, at),
        name: None,
    }
}

/// Applies a change that must change something.
#[track_caller]
fn apply(user: &User, change: &UserChange) -> User {
    let changed_user = user.changed(change, std::slice::from_ref(user)).unwrap();
    let changed_user = changed_user.expect("a change");
    let users = std::slice::from_ref(&changed_user);
    assert_eq!(changed_user.changed(change, users), Ok(None), "a repeat");
    changed_user
}

#[track_caller]
fn reject(user: &User, change: &UserChange) -> UserRejection {
    user.changed(change, std::slice::from_ref(user))
        .unwrap_err()
}

#[test]
fn user_name_is_unique_without_case() {
    let ada = user(1, "Ada", Role::Owner);
    let known = [ada.clone()];
    assert_eq!(User::is_new(&ada, &known), Ok(false), "a repeat");
    let second_ada = user(2, "ADA", Role::Analyst);
    let name_taken = UserRejection::NameTaken(second_ada.name.clone());
    assert_eq!(User::is_new(&second_ada, &known), Err(name_taken));
    let removed_ada = User {
        removed_at: Some(NOW),
        ..ada
    };
    assert_eq!(User::is_new(&second_ada, &[removed_ada]), Ok(true));
}

#[test]
fn number_of_users_is_limited() {
    let mut known: Vec<_> = (0..200)
        .map(|number| user(number, &format!("user {number}"), Role::Analyst))
        .collect();
    let next = user(250, "next", Role::Analyst);
    assert_eq!(
        User::is_new(&next, &known),
        Err(UserRejection::TooManyUsers)
    );
    known[7].removed_at = Some(NOW);
    assert_eq!(User::is_new(&next, &known), Ok(true));
}

#[test]
fn link_signs_in_once_before_it_expires() {
    let invited_user = user(1, "ada", Role::Owner);
    let wrong_link = UserChange::RedeemLink {
        digest: digest(9),
        session: session(5, NOW),
        name: None,
    };
    assert_eq!(
        reject(&invited_user, &wrong_link),
        UserRejection::LinkUnknown
    );
    let expired_at = NOW.saturating_add(SIGN_IN_LINK_LIFETIME);
    assert_eq!(
        reject(&invited_user, &redeem(5, expired_at)),
        UserRejection::LinkExpired
    );
    let last_moment = Timestamp::from_millis(expired_at.as_millis() - 1);
    let signed_in_user = apply(&invited_user, &redeem(5, last_moment));
    assert_eq!(signed_in_user.seen_at, Some(last_moment));
    assert_eq!(
        reject(&signed_in_user, &redeem(6, last_moment)),
        UserRejection::LinkUsed
    );
}

#[test]
fn new_link_replaces_an_unused_one() {
    let invited_user = user(1, "ada", Role::Owner);
    let invited_again = apply(&invited_user, &UserChange::Invite { link: link(7) });
    assert_eq!(
        reject(&invited_again, &redeem(5, NOW)),
        UserRejection::LinkUnknown
    );
    let used_link = apply(&invited_user, &redeem(5, NOW));
    let repeat = UserChange::Invite { link: link(1) };
    assert_eq!(
        used_link.changed(&repeat, &[]),
        Ok(None),
        "a repeated invitation does not make a used link valid again"
    );
}

#[test]
fn only_the_first_user_chooses_a_name() {
    let owner = user(1, "owner", Role::Owner);
    let change = |name: &str| UserChange::RedeemLink {
        digest: digest(1),
        session: session(5, NOW),
        name: Some(name.parse().unwrap()),
    };
    assert_eq!(apply(&owner, &change("Ada")).name.as_str(), "Ada");
    let bob = user(2, "Bob", Role::Analyst);
    let users = [owner.clone(), bob.clone()];
    assert_eq!(
        owner.changed(&change("bob"), &users),
        Err(UserRejection::NameTaken("bob".parse().unwrap()))
    );
    let seen_bob = User {
        seen_at: Some(NOW),
        ..bob
    };
    let users = [owner.clone(), seen_bob];
    assert_eq!(
        owner.changed(&change("Ada"), &users),
        Err(UserRejection::NameFixed)
    );
    let same_name = owner.changed(&change("owner"), &users);
    assert!(same_name.unwrap().is_some());
}

#[test]
fn session_ends_when_idle_or_after_a_week() {
    let mut session = session(1, NOW);
    let hour = Duration::from_hours(1);
    assert!(session.is_active(NOW.saturating_add(hour * 11)));
    assert!(!session.is_active(NOW.saturating_add(hour * 12)));
    session.used_at = NOW.saturating_add(MINUTE * (60 * 24 * 7 - 1));
    assert!(session.is_active(session.used_at));
    assert!(!session.is_active(NOW.saturating_add(hour * 24 * 7)));
    assert!(session.is_fresh(NOW.saturating_add(MINUTE * 4)));
    assert!(!session.is_fresh(NOW.saturating_add(MINUTE * 5)));
}

#[test]
fn device_text_is_short_and_printable() {
    let session = UserSession::new(digest(1), NOW, &format!("a\n{}", "b".repeat(200)));
    assert_eq!(session.device, format!("a{}", "b".repeat(119)));
}

#[test]
fn least_recently_used_session_ends_first() {
    let mut ada = user(1, "ada", Role::Owner);
    ada.passkeys.push(passkey(1));
    let sign_in = |byte: u8, at: Timestamp| UserChange::SignIn {
        proof: UserProof::Passkey {
            credential_id: vec![1; 16],
            state: vec![byte],
        },
        session: session(byte, at),
    };
    for byte in 0..16 {
        let at = NOW.saturating_add(Duration::from_secs(byte.into()));
        ada = apply(&ada, &sign_in(byte, at));
    }
    let later = NOW.saturating_add(MINUTE * 6);
    let touch = UserChange::Touch {
        session: digest(0),
        at: later,
    };
    ada = apply(&ada, &touch);
    ada = apply(&ada, &sign_in(16, later));
    assert_eq!(ada.sessions.len(), MAX_SESSIONS);
    assert!(ada.find_session(digest(0)).is_some());
    assert!(ada.find_session(digest(1)).is_none());
    assert_eq!(ada.passkeys[0].state, [16]);
    assert_eq!(ada.passkeys[0].used_at, Some(later));
    let next_day = NOW.saturating_add(Duration::from_hours(24));
    ada = apply(&ada, &sign_in(17, next_day));
    assert_eq!(ada.sessions.len(), 1, "ended sessions are removed");
}

#[test]
fn use_is_stored_every_five_minutes() {
    let ada = apply(&user(1, "ada", Role::Owner), &redeem(5, NOW));
    let touch = |at| UserChange::Touch {
        session: digest(5),
        at,
    };
    let early = NOW.saturating_add(MINUTE * 4);
    assert_eq!(ada.changed(&touch(early), &[]), Ok(None));
    let due = NOW.saturating_add(MINUTE * 5);
    let seen_ada = apply(&ada, &touch(due));
    assert_eq!(seen_ada.seen_at, Some(due));
    let late = due.saturating_add(Duration::from_hours(12));
    assert_eq!(
        seen_ada.changed(&touch(late), &[]),
        Ok(None),
        "it has ended"
    );
}

#[test]
fn proof_refreshes_an_active_session() {
    let mut ada = apply(&user(1, "ada", Role::Owner), &redeem(5, NOW));
    ada.passkeys.push(passkey(1));
    let prove = |byte: u8, at| UserChange::Prove {
        session: digest(byte),
        proof: UserProof::Passkey {
            credential_id: vec![1; 16],
            state: vec![9],
        },
        at,
    };
    let later = NOW.saturating_add(MINUTE * 30);
    let proven_ada = apply(&ada, &prove(5, later));
    assert!(proven_ada.sessions[0].is_fresh(later));
    assert_eq!(reject(&ada, &prove(6, later)), UserRejection::SessionEnded);
    ada.passkeys.clear();
    assert_eq!(
        reject(&ada, &prove(5, later)),
        UserRejection::PasskeyUnknown
    );
}

#[test]
fn wallet_signature_is_accepted_once() {
    let mut ada = user(1, "ada", Role::Owner);
    ada.wallets.push(wallet(4));
    let sign_in = |byte: u8, wallet: u8, requested_at| UserChange::SignIn {
        proof: UserProof::Wallet {
            address: EoaAddress::from_bytes([wallet; 20]),
            requested_at,
        },
        session: session(byte, NOW),
    };
    assert_eq!(
        reject(&ada, &sign_in(5, 4, NOW)),
        UserRejection::SignatureUsed
    );
    let later = NOW.saturating_add(MINUTE);
    let signed_in_ada = apply(&ada, &sign_in(5, 4, later));
    assert_eq!(
        reject(&signed_in_ada, &sign_in(6, 4, later)),
        UserRejection::SignatureUsed
    );
    assert_eq!(
        reject(&ada, &sign_in(5, 3, later)),
        UserRejection::WalletUnknown
    );
}

#[test]
fn means_of_sign_in_are_unique_and_limited() {
    let mut ada = user(1, "ada", Role::Owner);
    for id in 1..=8 {
        ada = apply(&ada, &UserChange::AddPasskey(passkey(id)));
    }
    for byte in 1..=4 {
        ada = apply(&ada, &UserChange::AddWallet(wallet(byte)));
    }
    assert_eq!(
        reject(&ada, &UserChange::AddPasskey(passkey(9))),
        UserRejection::TooManyPasskeys
    );
    assert_eq!(
        reject(&ada, &UserChange::AddWallet(wallet(9))),
        UserRejection::TooManyWallets
    );
    let bob = user(2, "bob", Role::Analyst);
    let users = [ada.clone(), bob.clone()];
    assert_eq!(
        bob.changed(&UserChange::AddPasskey(passkey(1)), &users),
        Err(UserRejection::PasskeyTaken)
    );
    assert_eq!(
        bob.changed(&UserChange::AddWallet(wallet(1)), &users),
        Err(UserRejection::WalletTaken)
    );
    let remove_passkey = UserChange::RemovePasskey {
        credential_id: vec![1; 16],
    };
    assert_eq!(apply(&ada, &remove_passkey).passkeys.len(), 7);
    let remove_wallet = UserChange::RemoveWallet {
        address: wallet(1).address,
    };
    assert_eq!(apply(&ada, &remove_wallet).wallets.len(), 3);
}

#[test]
fn passkey_of_unsupported_length_is_rejected() {
    let ada = user(1, "ada", Role::Owner);
    for (credential_id, state) in [(0, 1), (1024, 1), (1, 4097)] {
        let long_passkey = Passkey {
            credential_id: vec![1; credential_id],
            state: vec![1; state],
            ..passkey(1)
        };
        assert_eq!(
            reject(&ada, &UserChange::AddPasskey(long_passkey)),
            UserRejection::PasskeyLength,
            "{credential_id} {state}"
        );
    }
}

#[test]
fn last_owner_keeps_the_role() {
    let ada = user(1, "ada", Role::Owner);
    let bob = user(2, "bob", Role::Owner);
    let demote = UserChange::SetRole {
        role: Role::Analyst,
    };
    let remove = UserChange::Remove { at: NOW };
    for change in [&demote, &remove] {
        assert_eq!(reject(&ada, change), UserRejection::LastOwner);
        let removed_bob = User {
            removed_at: Some(NOW),
            ..bob.clone()
        };
        assert_eq!(
            ada.changed(change, &[ada.clone(), removed_bob]),
            Err(UserRejection::LastOwner)
        );
        let users = [ada.clone(), bob.clone()];
        assert!(ada.changed(change, &users).unwrap().is_some());
    }
}

#[test]
fn new_role_ends_sessions_and_link() {
    let mut bob = user(1, "bob", Role::Analyst);
    bob.sessions.push(session(5, NOW));
    let billing = UserChange::SetRole {
        role: Role::Billing,
    };
    let changed_bob = apply(&bob, &billing);
    assert_eq!(changed_bob.sessions, []);
    assert_eq!(changed_bob.link, None);
}

#[test]
fn removed_user_accepts_nothing() {
    let mut bob = user(1, "bob", Role::Analyst);
    bob.passkeys.push(passkey(1));
    bob.wallets.push(wallet(1));
    bob.sessions.push(session(5, NOW));
    let removed_bob = apply(&bob, &UserChange::Remove { at: NOW });
    let expected_bob = User {
        removed_at: Some(NOW),
        link: None,
        passkeys: vec![],
        wallets: vec![],
        sessions: vec![],
        ..bob
    };
    assert_eq!(removed_bob, expected_bob);
    for change in [
        UserChange::Invite { link: link(3) },
        redeem(6, NOW),
        UserChange::EndSessions,
        UserChange::SetRole { role: Role::Owner },
    ] {
        assert_eq!(
            reject(&removed_bob, &change),
            UserRejection::Removed(expected_bob.name.clone())
        );
    }
}
