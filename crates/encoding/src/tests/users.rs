//! Generates users.

use super::strategies::{address, time, user_name};
use proptest::prelude::*;
use proptest::sample::select;
use voight_domain::registry::{Passkey, Role, SignInLink, User, UserSession, UserWallet};
use voight_domain::secrets::UserSecretDigest;
use voight_domain::vocabulary::UserId;

fn digest() -> impl Strategy<Value = UserSecretDigest> {
    any::<[u8; 32]>().prop_map(UserSecretDigest)
}

fn link() -> impl Strategy<Value = SignInLink> {
    (digest(), time(), prop::option::of(time())).prop_map(|(digest, expires_at, used_at)| {
        SignInLink {
            digest,
            expires_at,
            used_at,
        }
    })
}

fn passkey() -> impl Strategy<Value = Passkey> {
    let bytes = || prop::collection::vec(any::<u8>(), 1..200);
    let label = "[a-z]{1,64}".prop_map(|text| text.parse().unwrap());
    (bytes(), label, bytes(), time(), prop::option::of(time())).prop_map(
        |(credential_id, label, state, created_at, used_at)| Passkey {
            credential_id,
            label,
            state,
            created_at,
            used_at,
        },
    )
}

fn wallet() -> impl Strategy<Value = UserWallet> {
    (address(), time(), time()).prop_map(|(address, created_at, last_proof)| UserWallet {
        address,
        created_at,
        last_proof,
    })
}

fn session() -> impl Strategy<Value = UserSession> {
    (digest(), time(), time(), time(), ".{0,40}").prop_map(
        |(digest, created_at, used_at, proved_at, device)| UserSession {
            digest,
            created_at,
            used_at,
            proved_at,
            device,
        },
    )
}

pub(super) fn user() -> impl Strategy<Value = User> {
    let identity = (
        any::<[u8; 16]>(),
        user_name(),
        select(Role::ALL.to_vec()),
        time(),
    );
    let state = (
        prop::option::of(time()),
        prop::option::of(time()),
        prop::option::of(link()),
    );
    let lists = (
        prop::collection::vec(passkey(), 0..3),
        prop::collection::vec(wallet(), 0..3),
        prop::collection::vec(session(), 0..3),
    );
    (identity, state, lists).prop_map(
        |(
            (id, name, role, created_at),
            (removed_at, seen_at, link),
            (passkeys, wallets, sessions),
        )| User {
            id: UserId::from_bytes(id),
            name,
            role,
            created_at,
            removed_at,
            seen_at,
            link,
            passkeys,
            wallets,
            sessions,
        },
    )
}
