//! Clients, keys, contexts.

mod clients;
mod contexts;
pub(super) mod keys;
mod transfer;

use crate::PostgresStore;
use crate::common;
use crate::sql::registry;
use crate::value::values;
use async_trait::async_trait;
use voight_domain::metering::IdempotencyInput;
use voight_domain::ports::{ContextFilter, RegisterOutcome, RegistryStore, StoreError};
use voight_domain::registry::{
    AuditEntry, Client, ClientChange, Context, ContextChange, ContextTransfer, Key, KeyChange, KeyUse, KeyWithClient,
    NewClient, NewContext, NewKey, TransferOutcome,
};
use voight_domain::secrets::KeyDigest;
use voight_domain::vocabulary::{ClientId, ClientName, ContextId, KeyId};

#[async_trait]
impl RegistryStore for PostgresStore {
    async fn create_client(&self, client: NewClient, audit: AuditEntry) -> Result<Client, StoreError> {
        self.write((client, audit), |step, (client, audit)| Box::pin(clients::create(step, client, audit))).await
    }

    async fn client(&self, id: ClientId) -> Result<Option<Client>, StoreError> {
        self.read(id, |step, id| Box::pin(step.fetch(registry::CLIENT, values![*id]))).await
    }

    async fn client_named(&self, name: &ClientName) -> Result<Option<Client>, StoreError> {
        self.read(name.clone(), |step, name| Box::pin(step.fetch(registry::CLIENT_NAMED, values![name]))).await
    }

    async fn clients(&self, after: Option<ClientId>, limit: usize) -> Result<Vec<Client>, StoreError> {
        self.read((after, limit), |step, (after, limit)| Box::pin(clients::list(step, *after, *limit))).await
    }

    async fn change_client(
        &self,
        id: ClientId,
        change: ClientChange,
        audit: AuditEntry,
    ) -> Result<Option<Client>, StoreError> {
        let arguments = (id, change, audit);
        let changed = self
            .write(arguments, |step, (id, change, audit)| Box::pin(clients::change(step, *id, change, audit)))
            .await;
        self.key_cache.invalidate_all();
        changed
    }

    async fn create_key(&self, key: NewKey, audit: AuditEntry) -> Result<Option<Key>, StoreError> {
        self.write((key, audit), |step, (key, audit)| Box::pin(keys::create(step, key, audit))).await
    }

    async fn key(&self, id: KeyId) -> Result<Option<Key>, StoreError> {
        self.read(id, |step, id| Box::pin(keys::find(step, *id))).await
    }

    async fn keys(&self, client: ClientId) -> Result<Vec<Key>, StoreError> {
        self.read(client, |step, client| Box::pin(step.list(registry::KEYS, values![*client]))).await
    }

    async fn change_key(&self, id: KeyId, change: KeyChange, audit: AuditEntry) -> Result<Option<Key>, StoreError> {
        let arguments = (id, change, audit);
        let changed =
            self.write(arguments, |step, (id, change, audit)| Box::pin(keys::change(step, *id, change, audit))).await;
        self.key_cache.invalidate_all();
        changed
    }

    async fn store_key_uses(&self, uses: Vec<KeyUse>) -> Result<(), StoreError> {
        // One transaction per key, because each locks the client of its key and two nodes may store uses in any order.
        for usage in uses {
            self.write(usage, |step, usage| Box::pin(keys::store_use(step, *usage))).await?;
        }
        Ok(())
    }

    async fn key_by_digest(&self, digest: KeyDigest) -> Result<Option<KeyWithClient>, StoreError> {
        self.key_cache.get(digest, &self.task_runtime).await
    }

    fn cached_key_by_digest(&self, digest: KeyDigest) -> Option<KeyWithClient> {
        self.key_cache.get_cached(digest)
    }

    async fn register_context(
        &self,
        context: NewContext,
        claim: Option<IdempotencyInput>,
        audit: AuditEntry,
    ) -> Result<RegisterOutcome, StoreError> {
        let arguments = (context, claim, audit);
        self.write(arguments, |step, (context, claim, audit)| {
            Box::pin(contexts::register(step, context, claim.as_ref(), audit))
        })
        .await
    }

    async fn context(&self, id: &ContextId) -> Result<Option<Context>, StoreError> {
        let found = self.read(id.clone(), |step, id| Box::pin(common::context(step, id))).await?;
        Ok(found.map(|(_, context)| context))
    }

    async fn contexts(
        &self,
        filter: ContextFilter,
        after: Option<ContextId>,
        limit: usize,
    ) -> Result<Vec<Context>, StoreError> {
        let arguments = (filter, after, limit);
        self.read(arguments, |step, (filter, after, limit)| {
            Box::pin(contexts::list(step, *filter, after.as_ref(), *limit))
        })
        .await
    }

    async fn change_context(
        &self,
        id: &ContextId,
        change: ContextChange,
        audit: AuditEntry,
    ) -> Result<Option<Context>, StoreError> {
        let arguments = (id.clone(), change, audit);
        self.write(arguments, |step, (id, change, audit)| Box::pin(contexts::change(step, id, change, audit))).await
    }

    async fn transfer_contexts(&self, transfer: ContextTransfer) -> Result<TransferOutcome, StoreError> {
        let moved = self.write(transfer, |step, transfer| Box::pin(transfer::run(step, transfer))).await;
        self.key_cache.invalidate_all();
        moved
    }

    async fn append_audit(&self, entry: AuditEntry) -> Result<(), StoreError> {
        self.write(entry, |step, entry| Box::pin(common::audit(step, entry))).await
    }
}
