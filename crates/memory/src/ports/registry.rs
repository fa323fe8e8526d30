//! Registry: clients, API keys, contexts.

use crate::MemoryStore;
use crate::state::State;
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::ops::Bound;
use voight_domain::events::{context_event, key_event};
use voight_domain::metering::{
    IdempotencyInput, IdempotencyRecord, IdempotencyState, RecordedResponse, idempotency_state,
};
use voight_domain::ports::{ContextFilter, RegisterOutcome, RegistryStore, StoreError};
use voight_domain::registry::{
    AuditEntry, Client, ClientChange, Context, ContextChange, ContextTransfer, Key, KeyChange,
    KeyUse, KeyWithClient, NewClient, NewContext, NewKey, TransferFacts, TransferOutcome,
    TransferScope, transfer_contexts,
};
use voight_domain::secrets::KeyDigest;
use voight_domain::vocabulary::{ClientId, ClientName, ContextId, KeyId};

#[async_trait]
impl RegistryStore for MemoryStore {
    async fn create_client(
        &self,
        client: NewClient,
        audit: AuditEntry,
    ) -> Result<Client, StoreError> {
        let mut state = self.state()?;
        if state.clients.values().any(|existing_client| {
            existing_client.name == client.name || existing_client.id == client.id
        }) {
            return Err(StoreError::Conflict(format!(
                "there is a client named {} already",
                client.name
            )));
        }
        state.clients.insert(client.id, client.clone());
        state.audit.push(audit);
        Ok(client)
    }

    async fn client(&self, id: ClientId) -> Result<Option<Client>, StoreError> {
        Ok(self.state()?.clients.get(&id).cloned())
    }

    async fn client_named(&self, name: &ClientName) -> Result<Option<Client>, StoreError> {
        Ok(self
            .state()?
            .clients
            .values()
            .find(|client| client.name == *name)
            .cloned())
    }

    async fn clients(
        &self,
        after: Option<ClientId>,
        limit: usize,
    ) -> Result<Vec<Client>, StoreError> {
        Ok(following(&self.state()?.clients, after)
            .take(limit)
            .cloned()
            .collect())
    }

    async fn change_client(
        &self,
        id: ClientId,
        change: ClientChange,
        audit: AuditEntry,
    ) -> Result<Option<Client>, StoreError> {
        let mut state = self.state()?;
        let Some(client) = state.clients.get_mut(&id) else {
            return Ok(None);
        };
        *client = client.clone().with_change(change);
        let new_client = client.clone();
        state.audit.push(audit);
        Ok(Some(new_client))
    }

    async fn create_key(
        &self,
        mut key: NewKey,
        audit: AuditEntry,
    ) -> Result<Option<Key>, StoreError> {
        let mut state = self.state()?;
        if !state.clients.contains_key(&key.client) {
            return Ok(None);
        }
        if state.keys.contains_key(&key.id)
            || key
                .secrets
                .iter()
                .any(|secret| state.is_taken(secret.digest))
        {
            return Err(StoreError::Conflict(
                "there is such a key already".to_owned(),
            ));
        }
        let siblings = state
            .keys
            .values()
            .filter(|sibling| sibling.client == key.client);
        key.number = 1 + siblings.map(|sibling| sibling.number).max().unwrap_or(0);
        state.keys.insert(key.id, key.clone());
        state.append_client_events(key.client, key_event(None, &key), self.clock.now());
        state.audit.push(audit);
        Ok(Some(key))
    }

    async fn key(&self, id: KeyId) -> Result<Option<Key>, StoreError> {
        Ok(self.state()?.keys.get(&id).cloned())
    }

    async fn keys(&self, client: ClientId) -> Result<Vec<Key>, StoreError> {
        Ok(self
            .state()?
            .keys
            .values()
            .filter(|key| key.client == client)
            .cloned()
            .collect())
    }

    async fn change_key(
        &self,
        id: KeyId,
        change: KeyChange,
        audit: AuditEntry,
    ) -> Result<Option<Key>, StoreError> {
        let mut state = self.state()?;
        let Some(key) = state.keys.get(&id).cloned() else {
            return Ok(None);
        };
        if change
            .new_secret()
            .is_some_and(|secret| state.is_taken(secret.digest))
        {
            return Err(StoreError::Conflict(
                "the new secret is in use already".to_owned(),
            ));
        }
        let now = self.clock.now();
        let new_key = key.clone().with_change(change, now);
        state.append_client_events(key.client, key_event(Some(&key), &new_key), now);
        state.keys.insert(id, new_key.clone());
        state.audit.push(audit);
        Ok(Some(new_key))
    }

    async fn store_key_uses(&self, uses: Vec<KeyUse>) -> Result<(), StoreError> {
        let mut state = self.state()?;
        for KeyUse { key, at } in uses {
            if let Some(used) = state.keys.get(&key).and_then(|key| key.after_use(at)) {
                state.keys.insert(key, used);
            }
        }
        Ok(())
    }

    async fn key_by_digest(&self, digest: KeyDigest) -> Result<Option<KeyWithClient>, StoreError> {
        Ok(self.state()?.key_by_digest(digest))
    }

    async fn register_context(
        &self,
        mut context: NewContext,
        idempotency: Option<IdempotencyInput>,
        audit: AuditEntry,
    ) -> Result<RegisterOutcome, StoreError> {
        let mut state = self.state()?;
        let now = self.clock.now();
        if !state.clients.contains_key(&context.client) {
            return Err(StoreError::Conflict(format!(
                "there is no client {}",
                context.client
            )));
        }
        let idempotency_record = idempotency.and_then(|input| {
            state
                .idempotency_records
                .get(&(context.client, input.key_digest))
        });
        match idempotency_state(idempotency.as_ref(), idempotency_record, now) {
            IdempotencyState::Free => {}
            IdempotencyState::Replay(RecordedResponse::Context(id)) => {
                return Ok(RegisterOutcome::Replayed(id.clone()));
            }
            IdempotencyState::Replay(_) | IdempotencyState::Mismatch => {
                return Ok(RegisterOutcome::IdempotencyKeyReused);
            }
        }
        if !state
            .keys
            .get(&context.key)
            .is_some_and(|key| key.is_active(now))
        {
            return Ok(RegisterOutcome::KeyRejected);
        }
        if state.contexts.contains_key(&context.id) {
            return Err(StoreError::Conflict(format!(
                "there is a context {} already",
                context.id
            )));
        }
        let siblings = state
            .contexts
            .values()
            .filter(|sibling| sibling.client == context.client);
        context.number = 1 + siblings.map(|sibling| sibling.number).max().unwrap_or(0);
        if let Some(input) = idempotency {
            let idempotency_record =
                IdempotencyRecord::new(&input, RecordedResponse::Context(context.id.clone()), now);
            state
                .idempotency_records
                .insert((context.client, input.key_digest), idempotency_record);
        }
        state.contexts.insert(context.id.clone(), context.clone());
        state.append_client_events(context.client, context_event(None, &context), now);
        state.audit.push(audit);
        Ok(RegisterOutcome::Registered(context))
    }

    async fn context(&self, id: &ContextId) -> Result<Option<Context>, StoreError> {
        Ok(self.state()?.contexts.get(id).cloned())
    }

    async fn context_of_client(
        &self,
        client: ClientId,
        id: &ContextId,
    ) -> Result<Option<Context>, StoreError> {
        Ok(self
            .state()?
            .contexts
            .get(id)
            .filter(|context| context.client == client)
            .cloned())
    }

    async fn contexts(
        &self,
        filter: ContextFilter,
        after: Option<ContextId>,
        limit: usize,
    ) -> Result<Vec<Context>, StoreError> {
        let state = self.state()?;
        let contexts = following(&state.contexts, after).filter(|context| match filter {
            ContextFilter::All => true,
            ContextFilter::Client(client) => context.client == client,
            ContextFilter::Key(key) => context.key == key,
        });
        Ok(contexts.take(limit).cloned().collect())
    }

    async fn change_context(
        &self,
        id: &ContextId,
        change: ContextChange,
        audit: AuditEntry,
    ) -> Result<Option<Context>, StoreError> {
        let mut state = self.state()?;
        let Some(context) = state.contexts.get(id).cloned() else {
            return Ok(None);
        };
        let new_context = context.clone().with_change(change);
        state.contexts.insert(id.clone(), new_context.clone());
        let event = context_event(Some(&context), &new_context);
        state.append_client_events(context.client, event, self.clock.now());
        if new_context.archived_at.is_some() {
            state.tombstones.retain(|(context, _), _| context != id);
        }
        state.audit.push(audit);
        Ok(Some(new_context))
    }

    async fn transfer_contexts(
        &self,
        transfer: ContextTransfer,
    ) -> Result<TransferOutcome, StoreError> {
        let mut state = self.state()?;
        let target = state.find_key(transfer.to);
        let (revoked, contexts) = match &transfer.scope {
            TransferScope::Context(id) => {
                (None, state.contexts.get(id).cloned().into_iter().collect())
            }
            TransferScope::RevokedKey(id) => {
                let contexts = state.contexts.values().filter(|context| context.key == *id);
                (state.keys.get(id).cloned(), contexts.cloned().collect())
            }
        };
        let facts = TransferFacts {
            target: target.as_ref(),
            revoked: revoked.as_ref(),
            contexts,
        };
        let now = self.clock.now();
        let step = transfer_contexts(&transfer, facts, now);
        if let Some(target) = &target {
            state.append_client_events(target.client.id, step.events, now);
        }
        state.keys.extend(step.key.map(|key| (key.id, key)));
        state.contexts.extend(
            step.contexts
                .into_iter()
                .map(|context| (context.id.clone(), context)),
        );
        state.audit.extend(step.audit);
        Ok(step.outcome)
    }

    async fn append_audit(&self, entry: AuditEntry) -> Result<(), StoreError> {
        self.state()?.audit.push(entry);
        Ok(())
    }
}

impl State {
    /// Returns `true` if an API key has a secret with this digest.
    fn is_taken(&self, digest: KeyDigest) -> bool {
        self.keys
            .values()
            .any(|key| key.secrets.iter().any(|secret| secret.digest == digest))
    }
}

/// Iterates over the values with keys after `after`, in key order.
fn following<K: Ord, V>(map: &BTreeMap<K, V>, after: Option<K>) -> impl Iterator<Item = &V> {
    let first = after.map_or(Bound::Unbounded, Bound::Excluded);
    map.range((first, Bound::Unbounded)).map(|(_, value)| value)
}
