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
    AuditEntry, Client, ClientChange, Context, ContextChange, ContextTransfer, Key, KeyChange,
    KeyUse, KeyWithClient, NewClient, NewContext, NewKey, TransferOutcome,
};
use voight_domain::secrets::KeyDigest;
use voight_domain::vocabulary::{ClientId, ClientName, ContextId, KeyId};

#[async_trait]
impl RegistryStore for PostgresStore {
    async fn create_client(
        &self,
        client: NewClient,
        audit: AuditEntry,
    ) -> Result<Client, StoreError> {
        self.write((client, audit), |transaction, (client, audit)| {
            Box::pin(clients::create(transaction, client, audit))
        })
        .await
    }

    async fn client(&self, id: ClientId) -> Result<Option<Client>, StoreError> {
        self.read(id, |transaction, id| {
            Box::pin(transaction.fetch(registry::CLIENT, values![*id]))
        })
        .await
    }

    async fn client_named(&self, name: &ClientName) -> Result<Option<Client>, StoreError> {
        self.read(name.clone(), |transaction, name| {
            Box::pin(transaction.fetch(registry::CLIENT_NAMED, values![name]))
        })
        .await
    }

    async fn clients(
        &self,
        after: Option<ClientId>,
        limit: usize,
    ) -> Result<Vec<Client>, StoreError> {
        self.read((after, limit), |transaction, (after, limit)| {
            Box::pin(clients::list(transaction, *after, *limit))
        })
        .await
    }

    async fn change_client(
        &self,
        id: ClientId,
        change: ClientChange,
        audit: AuditEntry,
    ) -> Result<Option<Client>, StoreError> {
        let arguments = (id, change, audit);
        let change_result = self
            .write(arguments, |transaction, (id, change, audit)| {
                Box::pin(clients::change(transaction, *id, change, audit))
            })
            .await;
        self.key_cache.invalidate_all();
        change_result
    }

    async fn create_key(&self, key: NewKey, audit: AuditEntry) -> Result<Option<Key>, StoreError> {
        self.write((key, audit), |transaction, (key, audit)| {
            Box::pin(keys::create(transaction, key, audit))
        })
        .await
    }

    async fn key(&self, id: KeyId) -> Result<Option<Key>, StoreError> {
        self.read(id, |transaction, id| Box::pin(keys::find(transaction, *id)))
            .await
    }

    async fn keys(&self, client: ClientId) -> Result<Vec<Key>, StoreError> {
        self.read(client, |transaction, client| {
            Box::pin(transaction.list(registry::KEYS, values![*client]))
        })
        .await
    }

    async fn change_key(
        &self,
        id: KeyId,
        change: KeyChange,
        audit: AuditEntry,
    ) -> Result<Option<Key>, StoreError> {
        let arguments = (id, change, audit);
        let change_result = self
            .write(arguments, |transaction, (id, change, audit)| {
                Box::pin(keys::change(transaction, *id, change, audit))
            })
            .await;
        self.key_cache.invalidate_all();
        change_result
    }

    async fn store_key_uses(&self, uses: Vec<KeyUse>) -> Result<(), StoreError> {
        // One transaction per key, because each locks the client of its key and two nodes may store uses in any order.
        for usage in uses {
            self.write(usage, |transaction, usage| {
                Box::pin(keys::store_use(transaction, *usage))
            })
            .await?;
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
        idempotency: Option<IdempotencyInput>,
        audit: AuditEntry,
    ) -> Result<RegisterOutcome, StoreError> {
        let arguments = (context, idempotency, audit);
        self.write(arguments, |transaction, (context, idempotency, audit)| {
            Box::pin(contexts::register(
                transaction,
                context,
                idempotency.as_ref(),
                audit,
            ))
        })
        .await
    }

    async fn context(&self, id: &ContextId) -> Result<Option<Context>, StoreError> {
        let located_context = self
            .read(id.clone(), |transaction, id| {
                Box::pin(common::context(transaction, id))
            })
            .await?;
        Ok(located_context.map(|(_, context)| context))
    }

    async fn context_of_client(
        &self,
        client: ClientId,
        id: &ContextId,
    ) -> Result<Option<Context>, StoreError> {
        self.read((client, id.clone()), |transaction, (client, id)| {
            Box::pin(common::context_of_client(transaction, *client, id))
        })
        .await
    }

    async fn contexts(
        &self,
        filter: ContextFilter,
        after: Option<ContextId>,
        limit: usize,
    ) -> Result<Vec<Context>, StoreError> {
        let arguments = (filter, after, limit);
        self.read(arguments, |transaction, (filter, after, limit)| {
            Box::pin(contexts::list(transaction, *filter, after.as_ref(), *limit))
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
        self.write(arguments, |transaction, (id, change, audit)| {
            Box::pin(contexts::change(transaction, id, change, audit))
        })
        .await
    }

    async fn transfer_contexts(
        &self,
        transfer: ContextTransfer,
    ) -> Result<TransferOutcome, StoreError> {
        let transfer_result = self
            .write(transfer, |transaction, transfer| {
                Box::pin(transfer::run(transaction, transfer))
            })
            .await;
        self.key_cache.invalidate_all();
        transfer_result
    }

    async fn append_audit(&self, entry: AuditEntry) -> Result<(), StoreError> {
        self.write(entry, |transaction, entry| {
            Box::pin(common::audit(transaction, entry))
        })
        .await
    }
}
