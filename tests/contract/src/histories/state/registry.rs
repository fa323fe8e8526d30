//! Clients, API keys and contexts of a history.

use super::{DAY, HistoryState, unknown_client};
use crate::generate::current;
use crate::histories::operation::Operation;
use std::time::Duration;
use voight_domain::registry::{
    Actor, ClientChange, ClientStatus, ContextAccess, ContextChange, ContextMode, ContextTransfer,
    KeyChange, MinConfidence, TransferScope, UnverifiedFlagPolicy,
};
use voight_domain::vocabulary::{Environment, Scope, Timestamp};

impl HistoryState {
    pub(super) fn create_client(&mut self, now: Timestamp) -> Operation {
        let mut client = self.make.client(now);
        if !self.clients.is_empty() && self.rng.chance(30) {
            client.name = self.rng.pick(&self.clients).name.clone();
        } else {
            self.clients.push(client.clone());
        }
        Operation::CreateClient(client)
    }

    pub(super) fn change_client(&mut self) -> Operation {
        let id = self.some_client();
        let change = match self.rng.below(5) {
            0 => ClientChange::Status(ClientStatus::Suspended),
            1 | 2 => ClientChange::Status(ClientStatus::Active),
            3 => ClientChange::Contexts(
                *self
                    .rng
                    .pick(&[ContextAccess::RegisteringKey, ContextAccess::Client]),
            ),
            _ => ClientChange::LookupRate(Some(u32::try_from(self.rng.below(9)).unwrap_or(0))),
        };
        Operation::ChangeClient(id, change)
    }

    pub(super) fn create_key(&mut self, now: Timestamp) -> Operation {
        let environment = if self.rng.chance(80) {
            Environment::Live
        } else {
            Environment::Sandbox
        };
        let client = self.some_client();
        let mut key = self.make.key(client, environment, now);
        if self.rng.chance(10) {
            key.scopes = [Scope::UsageRead].into_iter().collect();
        }
        if self.rng.chance(10) {
            key.expires_at = Some(now.saturating_add(Duration::from_secs(10 * DAY)));
        }
        if !self.keys.is_empty() && self.rng.chance(10) {
            key.secrets.clone_from(&self.rng.pick(&self.keys).secrets);
        } else if key.client != unknown_client() {
            self.names.digests.push(current(&key));
            self.keys.push(key.clone());
        }
        Operation::CreateKey(key)
    }

    pub(super) fn change_key(&mut self, now: Timestamp) -> Operation {
        let place = usize::try_from(self.rng.below(self.keys.len() as u64)).unwrap_or(0);
        let id = self.keys[place].id;
        if self.rng.chance(15) && self.keys.len() > 1 {
            let change = KeyChange::Revoke { at: now };
            self.keys[place] = self.keys[place].clone().with_change(change.clone(), now);
            return Operation::ChangeKey(id, change);
        }
        if self.rng.chance(15) {
            return Operation::ChangeKey(id, KeyChange::ReportExpiry);
        }
        let secret = self.make.secret();
        self.names.digests.push(secret.digest);
        if self.keys[place].revoked_at.is_some() || self.rng.chance(5) {
            let change = KeyChange::Reinstate { secret };
            self.keys[place] = self.keys[place].clone().with_change(change.clone(), now);
            return Operation::ChangeKey(id, change);
        }
        let overlap = Duration::from_secs(self.rng.below(3 * DAY));
        let overlap_until = self.rng.chance(80).then(|| now.saturating_add(overlap));
        self.keys[place] = self.keys[place].clone().with_change(
            KeyChange::Rotate {
                secret: secret.clone(),
                overlap_until,
            },
            now,
        );
        Operation::ChangeKey(
            id,
            KeyChange::Rotate {
                secret,
                overlap_until,
            },
        )
    }

    /// Transfers one context, or all contexts of an API key, to another API key. Usually both keys belong to the same
    /// client.
    pub(super) fn transfer(&mut self, now: Timestamp) -> Operation {
        let context = self.some_context();
        let siblings: Vec<_> = self
            .keys
            .iter()
            .filter(|key| key.client == context.client)
            .map(|key| key.id)
            .collect();
        let anywhere = siblings.is_empty() || self.rng.chance(10);
        let to = if anywhere {
            self.rng.pick(&self.keys).id
        } else {
            *self.rng.pick(&siblings)
        };
        let scope = if self.rng.chance(25) {
            TransferScope::RevokedKey(context.key)
        } else {
            TransferScope::Context(context.id.clone())
        };
        // A transfer that the store rejects is also followed: the lookups are then made with the new API key and
        // rejected.
        for known in &mut self.contexts {
            let is_moved = match &scope {
                TransferScope::Context(id) => known.id == *id,
                TransferScope::RevokedKey(key) => known.key == *key,
            };
            known.key = if is_moved && !anywhere { to } else { known.key };
        }
        let reason = if self.rng.chance(50) {
            "moved".to_owned()
        } else {
            String::new()
        };
        Operation::Transfer(ContextTransfer {
            scope,
            to,
            at: now,
            actor: Actor::Operator,
            reason,
        })
    }

    pub(super) fn register(&mut self, now: Timestamp) -> Operation {
        let context = self.make.context(self.rng.pick(&self.keys), now);
        self.contexts.push(context.clone());
        Operation::Register(context, None)
    }

    pub(super) fn register_with_idempotency_key(&mut self, now: Timestamp) -> Operation {
        let context = self.make.context(self.rng.pick(&self.keys), now);
        self.doubtful.push(context.clone());
        Operation::Register(context, Some(self.random_idempotency()))
    }

    pub(super) fn change_context(&mut self, now: Timestamp) -> Operation {
        let id = self.some_context().id;
        let mut change = ContextChange::default();
        match self.rng.below(4) {
            0 => {
                change.min_confidence =
                    MinConfidence::try_from(u8::try_from(50 + self.rng.below(50)).unwrap_or(90))
                        .ok();
            }
            1 => {
                change.unverified_flags = Some(
                    *self
                        .rng
                        .pick(&[UnverifiedFlagPolicy::Keep, UnverifiedFlagPolicy::UntilOwned]),
                );
            }
            2 => change.mode = Some(*self.rng.pick(&[ContextMode::Enforce, ContextMode::Observe])),
            _ => change.archived_at = Some(self.rng.chance(50).then_some(now)),
        }
        Operation::ChangeContext(id, change)
    }
}
