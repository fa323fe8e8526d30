//! Moves of contexts to another key of their client.

use super::{Actor, AuditAction, AuditEntry, ClientStatus, Context, Key, KeyChange, KeyWithClient};
use crate::events::{NewEvent, context_event, key_event};
use crate::vocabulary::{ClientId, ContextId, Environment, KeyId, Scope, Timestamp};

/// Request to move contexts to another key of their client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextTransfer {
    /// The contexts to move.
    pub scope: TransferScope,
    /// The key that owns the contexts afterwards.
    pub to: KeyId,
    /// The date of the audit entries, and of a revocation.
    pub at: Timestamp,
    /// The actor of the audit entries.
    pub actor: Actor,
    /// The operator's reason; may be empty.
    pub reason: String,
}

/// Contexts that a transfer moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TransferScope {
    /// One context.
    Context(ContextId),
    /// Every context of a key, which the same transaction revokes.
    RevokedKey(KeyId),
}

/// Outcome of a transfer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TransferOutcome {
    /// The contexts belong to the other key.
    Moved {
        /// The number of contexts that changed their key.
        contexts: usize,
    },
    /// The context, or the key to revoke, is unknown.
    SourceUnknown,
    /// The transfer was rejected and changed nothing.
    Rejected(TransferRejection),
}

/// Reason for the rejection of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TransferRejection {
    /// The other key is unknown.
    #[error("there is no key {0}")]
    KeyUnknown(KeyId),
    /// The other key is the key to revoke.
    #[error("key {0} is the one to revoke; name another key of the same client")]
    SameKey(KeyId),
    /// The other key belongs to another client.
    #[error(
        "key {0} belongs to another client; a context stays with its client, so name another key of that"
    )]
    AnotherClient(KeyId),
    /// The other key belongs to another environment.
    #[error("a {word} context stays {word}, and key {key} is not a {word} key; name a {word} key of the same client", word = .needed.label())]
    AnotherEnvironment {
        /// The other key.
        key: KeyId,
        /// The environment of the contexts.
        needed: Environment,
    },
    /// The other key is revoked.
    #[error(
        "key {0} is revoked; name an active key, or make it active again with `voight key rotate --now {0}`"
    )]
    KeyRevoked(KeyId),
    /// The other key has expired.
    #[error("key {key} expired at {at}; name an active key, or issue one with `voight key create`")]
    KeyExpired {
        /// The other key.
        key: KeyId,
        /// The time of expiry.
        at: Timestamp,
    },
    /// The other key has no scope for lookups.
    #[error(
        "key {0} lacks the scope lookup:read, so that no lookup would reach the contexts; name a key that has it"
    )]
    ScopeMissing(KeyId),
    /// The client is closed.
    #[error(
        "client {0} is permanently closed, and its keys give no access; its contexts cannot be moved"
    )]
    ClientClosed(ClientId),
}

/// Facts that a store has read inside its write transaction.
#[derive(Debug, Clone)]
pub struct TransferFacts<'a> {
    /// The other key, with its client.
    pub target: Option<&'a KeyWithClient>,
    /// The key to revoke; `None` for the transfer of one context.
    pub revoked: Option<&'a Key>,
    /// The context to move, or every context of the key to revoke.
    pub contexts: Vec<Context>,
}

/// Changes that a store writes atomically, and the outcome that it returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransferStep {
    /// The outcome.
    pub outcome: TransferOutcome,
    /// The changed contexts.
    pub contexts: Vec<Context>,
    /// The revoked key, if it changed.
    pub key: Option<Key>,
    /// The audit entries, in order.
    pub audit: Vec<AuditEntry>,
    /// The events of the client, in order.
    pub events: Vec<NewEvent>,
}

impl TransferStep {
    const fn unchanged(outcome: TransferOutcome) -> Self {
        Self {
            outcome,
            contexts: Vec::new(),
            key: None,
            audit: Vec::new(),
            events: Vec::new(),
        }
    }
}

/// Decides a transfer from the stored facts at `now`. Pure: adapters read the facts, call this, and write the step.
pub fn transfer_contexts(
    transfer: &ContextTransfer,
    facts: TransferFacts<'_>,
    now: Timestamp,
) -> TransferStep {
    let Some((client, environment)) = transfer.origin(&facts) else {
        return TransferStep::unchanged(TransferOutcome::SourceUnknown);
    };
    let target = match transfer.admit(client, environment, facts.target, now) {
        Ok(target) => target.key.id,
        Err(rejection) => return TransferStep::unchanged(TransferOutcome::Rejected(rejection)),
    };
    let key = facts
        .revoked
        .filter(|key| key.revoked_at.is_none())
        .map(|key| {
            let change = KeyChange::Revoke { at: transfer.at };
            key.clone().with_change(change, now)
        });
    let moved_contexts: Vec<_> = facts
        .contexts
        .into_iter()
        .filter(|context| context.key != target)
        .collect();
    let revocation = key
        .as_ref()
        .map(|key| transfer.revocation(key.id, moved_contexts.len()));
    let audit = revocation
        .into_iter()
        .chain(moved_contexts.iter().map(|context| transfer.entry(context)))
        .collect();
    let outcome = TransferOutcome::Moved {
        contexts: moved_contexts.len(),
    };
    let contexts: Vec<_> = moved_contexts
        .iter()
        .map(|context| Context {
            key: target,
            ..context.clone()
        })
        .collect();
    let key_events = key
        .iter()
        .filter_map(|revoked_key| key_event(facts.revoked, revoked_key));
    let context_events = moved_contexts
        .iter()
        .zip(&contexts)
        .filter_map(|(before, after)| context_event(Some(before), after));
    let events = key_events.chain(context_events).collect();
    TransferStep {
        outcome,
        contexts,
        key,
        audit,
        events,
    }
}

impl ContextTransfer {
    /// Returns the client and the environment of the contexts; `None` if the context or key is unknown.
    fn origin(&self, facts: &TransferFacts<'_>) -> Option<(ClientId, Environment)> {
        match &self.scope {
            TransferScope::Context(_) => facts
                .contexts
                .first()
                .map(|context| (context.client, context.environment)),
            TransferScope::RevokedKey(_) => facts.revoked.map(|key| (key.client, key.environment)),
        }
    }

    fn admit<'a>(
        &self,
        client: ClientId,
        environment: Environment,
        target: Option<&'a KeyWithClient>,
        now: Timestamp,
    ) -> Result<&'a KeyWithClient, TransferRejection> {
        let key = self.to;
        if self.scope == TransferScope::RevokedKey(key) {
            return Err(TransferRejection::SameKey(key));
        }
        let target = target.ok_or(TransferRejection::KeyUnknown(key))?;
        if target.key.client != client {
            return Err(TransferRejection::AnotherClient(key));
        }
        if target.client.status == ClientStatus::Closed {
            return Err(TransferRejection::ClientClosed(client));
        }
        if target.key.environment != environment {
            return Err(TransferRejection::AnotherEnvironment {
                key,
                needed: environment,
            });
        }
        if target.key.revoked_at.is_some() {
            return Err(TransferRejection::KeyRevoked(key));
        }
        match target.key.expires_at {
            Some(at) if at <= now => Err(TransferRejection::KeyExpired { key, at }),
            _ if !target.key.scopes.allows(Scope::LookupRead) => {
                Err(TransferRejection::ScopeMissing(key))
            }
            _ => Ok(target),
        }
    }

    fn revocation(&self, key: KeyId, contexts: usize) -> AuditEntry {
        let contexts = if contexts == 1 {
            "1 context".to_owned()
        } else {
            format!("{contexts} contexts")
        };
        self.audited(
            AuditAction::KeyRevoked,
            key.to_string(),
            format!("{contexts} moved to key {}", self.to),
        )
    }

    fn entry(&self, context: &Context) -> AuditEntry {
        let detail = format!("from key {} to key {}", context.key, self.to);
        self.audited(AuditAction::ContextMoved, context.id.to_string(), detail)
    }

    fn audited(&self, action: AuditAction, subject: String, detail: String) -> AuditEntry {
        let detail = if self.reason.is_empty() {
            detail
        } else {
            format!("{detail}: {}", self.reason)
        };
        AuditEntry {
            at: self.at,
            actor: self.actor.clone(),
            action,
            subject,
            detail,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Client;
    use crate::registry::testing::{client, context, key, timestamp};

    fn transfer(scope: TransferScope) -> ContextTransfer {
        let to = key(2).id;
        ContextTransfer {
            scope,
            to,
            at: timestamp(20),
            actor: Actor::Operator,
            reason: "leaked".into(),
        }
    }

    fn of_context() -> ContextTransfer {
        transfer(TransferScope::Context(context(&key(1)).id))
    }

    fn of_key() -> ContextTransfer {
        transfer(TransferScope::RevokedKey(key(1).id))
    }

    fn holder(key: Key) -> KeyWithClient {
        KeyWithClient {
            key,
            client: client(1),
        }
    }

    /// Returns the outcome of moving a context of key 1 to `target`.
    fn rejected_outcome(
        transfer: &ContextTransfer,
        target: Option<&KeyWithClient>,
    ) -> TransferOutcome {
        let revoked_key = key(1);
        let facts = TransferFacts {
            target,
            revoked: Some(&revoked_key),
            contexts: vec![context(&revoked_key)],
        };
        let step = transfer_contexts(transfer, facts, timestamp(20));
        assert_eq!(
            step,
            TransferStep::unchanged(step.outcome.clone()),
            "a rejected move writes something"
        );
        step.outcome
    }

    #[test]
    fn moved_context_is_audited() {
        let target = holder(key(2));
        let facts = TransferFacts {
            target: Some(&target),
            revoked: None,
            contexts: vec![context(&key(1))],
        };
        let step = transfer_contexts(&of_context(), facts, timestamp(20));
        assert_eq!(step.outcome, TransferOutcome::Moved { contexts: 1 });
        assert_eq!(
            step.contexts,
            [Context {
                key: key(2).id,
                ..context(&key(1))
            }]
        );
        assert_eq!((step.key, step.audit.len()), (None, 1));
        let entry = &step.audit[0];
        assert_eq!(
            (entry.action, entry.subject.as_str()),
            (AuditAction::ContextMoved, context(&key(1)).id.as_str())
        );
        assert_eq!(
            entry.detail,
            format!("from key {} to key {}: leaked", key(1).id, key(2).id)
        );
    }

    #[test]
    fn repeated_move_changes_nothing() {
        let target = holder(key(2));
        let moved_context = Context {
            key: key(2).id,
            ..context(&key(1))
        };
        let facts = TransferFacts {
            target: Some(&target),
            revoked: None,
            contexts: vec![moved_context],
        };
        let expected_step = TransferStep::unchanged(TransferOutcome::Moved { contexts: 0 });
        assert_eq!(
            transfer_contexts(&of_context(), facts, timestamp(20)),
            expected_step
        );
    }

    #[test]
    fn revocation_and_moves_are_one_step() {
        let source = key(1);
        let target = holder(key(2));
        let facts = TransferFacts {
            target: Some(&target),
            revoked: Some(&source),
            contexts: vec![context(&source)],
        };
        let step = transfer_contexts(&of_key(), facts, timestamp(20));
        assert_eq!(
            step.key.as_ref().and_then(|key| key.revoked_at),
            Some(timestamp(20))
        );
        assert_eq!(step.contexts.len(), 1);
        let actions: Vec<_> = step.audit.iter().map(|entry| entry.action).collect();
        assert_eq!(
            actions,
            [AuditAction::KeyRevoked, AuditAction::ContextMoved]
        );
        assert_eq!(
            step.audit[0].detail,
            format!("1 context moved to key {}: leaked", key(2).id)
        );
        // For a key that is already revoked, only the contexts change.
        let revoked_key = step.key.unwrap();
        let facts = TransferFacts {
            target: Some(&target),
            revoked: Some(&revoked_key),
            contexts: vec![context(&revoked_key)],
        };
        let rescue_step = transfer_contexts(&of_key(), facts, timestamp(30));
        assert_eq!(
            (
                rescue_step.key,
                rescue_step.contexts.len(),
                rescue_step.audit.len()
            ),
            (None, 1, 1)
        );
    }

    #[test]
    fn contexts_move_only_to_a_usable_key() {
        let to = key(2).id;
        let rejection = TransferOutcome::Rejected;
        for transfer in [of_context(), of_key()] {
            let outcome = |key: Key| rejected_outcome(&transfer, Some(&holder(key)));
            assert_eq!(
                rejected_outcome(&transfer, None),
                rejection(TransferRejection::KeyUnknown(to))
            );
            let foreign = Key {
                client: client(9).id,
                ..key(2)
            };
            assert_eq!(
                outcome(foreign),
                rejection(TransferRejection::AnotherClient(to))
            );
            let sandbox = Key {
                environment: Environment::Sandbox,
                ..key(2)
            };
            let required_environment = Environment::Live;
            assert_eq!(
                outcome(sandbox),
                rejection(TransferRejection::AnotherEnvironment {
                    key: to,
                    needed: required_environment
                })
            );
            let revoked_key =
                key(2).with_change(KeyChange::Revoke { at: timestamp(10) }, timestamp(10));
            assert_eq!(
                outcome(revoked_key),
                rejection(TransferRejection::KeyRevoked(to))
            );
            let expired_key = Key {
                expires_at: Some(timestamp(20)),
                ..key(2)
            };
            assert_eq!(
                outcome(expired_key),
                rejection(TransferRejection::KeyExpired {
                    key: to,
                    at: timestamp(20)
                })
            );
            let reader = Key {
                scopes: [Scope::UsageRead].into_iter().collect(),
                ..key(2)
            };
            assert_eq!(
                outcome(reader),
                rejection(TransferRejection::ScopeMissing(to))
            );
            let key_of_closed_client = KeyWithClient {
                client: Client {
                    status: ClientStatus::Closed,
                    ..client(1)
                },
                ..holder(key(2))
            };
            assert_eq!(
                rejected_outcome(&transfer, Some(&key_of_closed_client)),
                rejection(TransferRejection::ClientClosed(client(1).id))
            );
        }
        let onto_itself = ContextTransfer {
            to: key(1).id,
            ..of_key()
        };
        assert_eq!(
            rejected_outcome(&onto_itself, Some(&holder(key(1)))),
            rejection(TransferRejection::SameKey(key(1).id))
        );
        let words = TransferRejection::AnotherEnvironment {
            key: to,
            needed: Environment::Live,
        }
        .to_string();
        assert!(
            words.starts_with("a live context stays live")
                && words.ends_with("name a live key of the same client"),
            "{words}"
        );
    }

    #[test]
    fn unknown_source_is_no_rejection() {
        let target = holder(key(2));
        for transfer in [of_context(), of_key()] {
            let facts = TransferFacts {
                target: Some(&target),
                revoked: None,
                contexts: vec![],
            };
            let step = transfer_contexts(&transfer, facts, timestamp(20));
            assert_eq!(
                step,
                TransferStep::unchanged(TransferOutcome::SourceUnknown)
            );
        }
    }
}
