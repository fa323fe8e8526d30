//! Fixtures for the tests of the registry's rules.

use super::{Client, ClientStatus, Context, ContextAccess, ContextSettings, Key, KeySecret};
use crate::secrets::KeyDigest;
use crate::vocabulary::{
    ClientId, ContextId, ContextTitle, Environment, KeyId, ScopeSet, Timestamp,
};

pub(crate) const fn timestamp(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

pub(crate) fn secret(byte: u8) -> KeySecret {
    KeySecret {
        digest: KeyDigest([byte; 32]),
        hint: "vgt_live_abcd".into(),
        valid_until: None,
    }
}

/// Returns an active client with this number.
pub(crate) fn client(number: u8) -> Client {
    Client {
        id: ClientId::from_bytes([number; 16]),
        name: "acme".parse().unwrap(),
        status: ClientStatus::Active,
        origins: vec![],
        lookup_rate: None,
        contexts: ContextAccess::default(),
        created_at: timestamp(0),
    }
}

/// Returns a live key of client 1 with all scopes.
pub(crate) fn key(number: u8) -> Key {
    Key {
        id: KeyId::from_bytes([number; 16]),
        number: number.into(),
        client: ClientId::from_bytes([1; 16]),
        environment: Environment::Live,
        scopes: ScopeSet::all(),
        networks: vec![],
        secrets: vec![secret(number)],
        created_at: timestamp(0),
        expires_at: None,
        revoked_at: None,
        label: None,
        last_used_at: None,
        expiry_reported_at: None,
    }
}

/// Returns a context that this key has registered.
pub(crate) fn context(key: &Key) -> Context {
    let title: ContextTitle = "quest".parse().unwrap();
    Context {
        id: ContextId::new(&title, timestamp(0), [key.id.to_bytes()[0]; 10]),
        number: 1,
        client: key.client,
        key: key.id,
        environment: key.environment,
        settings: ContextSettings::default(),
        created_at: timestamp(0),
        archived_at: None,
    }
}
