//! Access of keys to contexts.

use super::{Context, ContextAccess, Key, KeyWithClient};
use crate::vocabulary::{Scope, Timestamp};

impl Context {
    /// Returns `true` if a key may use this context. Lookups, sessions, receipts and changes of settings all use this
    /// rule; a context that the key may not use is rejected exactly as a context that does not exist.
    pub fn is_usable_by(&self, KeyWithClient { key, client }: &KeyWithClient) -> bool {
        self.client == client.id && self.is_open_to(key, client.contexts)
    }

    /// Returns `true` if any of `keys` would get an answer to a lookup in this context at `now`.
    pub fn is_reachable<'a>(
        &self,
        access: ContextAccess,
        keys: impl IntoIterator<Item = &'a Key>,
        now: Timestamp,
    ) -> bool {
        let is_able = |key: &Key| key.is_active(now) && key.scopes.allows(Scope::LookupRead);
        keys.into_iter()
            .any(|key| is_able(key) && self.is_open_to(key, access))
    }

    fn is_open_to(&self, key: &Key, access: ContextAccess) -> bool {
        let is_of_same_kind = self.client == key.client && self.environment == key.environment;
        is_of_same_kind && (access == ContextAccess::Client || self.key == key.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::testing::{client, context, key, timestamp};
    use crate::registry::{Client, KeyChange};
    use crate::vocabulary::{ClientId, Environment};

    fn holder(key: Key, contexts: ContextAccess) -> KeyWithClient {
        KeyWithClient {
            key,
            client: Client {
                contexts,
                ..client(1)
            },
        }
    }

    #[test]
    fn unshared_context_belongs_to_its_key() {
        let own_key = key(1);
        let sibling = key(2);
        for (access, is_shared) in [
            (ContextAccess::RegisteringKey, false),
            (ContextAccess::Client, true),
        ] {
            assert!(context(&own_key).is_usable_by(&holder(own_key.clone(), access)));
            assert_eq!(
                context(&own_key).is_usable_by(&holder(sibling.clone(), access)),
                is_shared
            );
        }
    }

    #[test]
    fn context_is_never_open_to_other_clients() {
        let sandbox = Key {
            environment: Environment::Sandbox,
            ..key(2)
        };
        let foreign = Key {
            client: ClientId::from_bytes([9; 16]),
            ..key(2)
        };
        for access in [ContextAccess::RegisteringKey, ContextAccess::Client] {
            assert!(!context(&key(1)).is_usable_by(&holder(sandbox.clone(), access)));
            assert!(!context(&key(1)).is_usable_by(&holder(foreign.clone(), access)));
            let stranger = KeyWithClient {
                key: foreign.clone(),
                client: Client {
                    contexts: access,
                    ..client(9)
                },
            };
            assert!(!context(&key(1)).is_usable_by(&stranger));
        }
    }

    #[test]
    fn context_is_reachable_by_an_active_key() {
        let own_key = key(1);
        let sibling = Key {
            expires_at: Some(timestamp(50)),
            ..key(2)
        };
        let reader = Key {
            scopes: [Scope::UsageRead].into_iter().collect(),
            ..key(3)
        };
        let revoked_key = own_key
            .clone()
            .with_change(KeyChange::Revoke { at: timestamp(10) }, timestamp(10));
        let reach = |access, keys: &[&Key], now| {
            context(&own_key).is_reachable(access, keys.iter().copied(), timestamp(now))
        };
        assert!(reach(ContextAccess::RegisteringKey, &[&own_key], 20));
        assert!(!reach(
            ContextAccess::RegisteringKey,
            &[&revoked_key, &sibling],
            20
        ));
        assert!(reach(ContextAccess::Client, &[&revoked_key, &sibling], 49));
        assert!(!reach(
            ContextAccess::Client,
            &[&revoked_key, &sibling, &reader],
            50
        ));
    }
}
