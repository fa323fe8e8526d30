//! Registry: clients, API keys, contexts.

mod clients;
mod contexts;
pub(super) mod keys;
mod transfer;

use crate::EmbeddedStore;
use crate::common;
use crate::lookup_cache::{load_context, load_key};
use crate::read_records::ReadRecords;
use crate::table::{self, KeyRange};
use crate::write_transaction::WriteTransaction;
use async_trait::async_trait;
use std::sync::Arc;
use voight_domain::metering::IdempotencyInput;
use voight_domain::ports::{ContextFilter, RegisterOutcome, RegistryStore, StoreError};
use voight_domain::registry::{
    AuditEntry, Client, ClientChange, Context, ContextChange, ContextTransfer, Key, KeyChange,
    KeyUse, KeyWithClient, NewClient, NewContext, NewKey, TransferOutcome,
};
use voight_domain::secrets::KeyDigest;
use voight_domain::vocabulary::{ClientId, ClientName, ContextId, KeyId};
use voight_engine::Engine;

#[async_trait]
impl<E: Engine> RegistryStore for EmbeddedStore<E> {
    async fn create_client(
        &self,
        client: NewClient,
        audit: AuditEntry,
    ) -> Result<Client, StoreError> {
        self.main
            .write(move |transaction| clients::create(transaction, client, &audit))
            .await
    }

    async fn client(&self, id: ClientId) -> Result<Option<Client>, StoreError> {
        self.main
            .read(|view| Ok(view.fetch(&table::client(id))?.map(|record| record.client)))
    }

    async fn client_named(&self, name: &ClientName) -> Result<Option<Client>, StoreError> {
        self.main
            .read(|view| match view.fetch(&table::name(name))? {
                Some(owner) => Ok(view
                    .fetch(&table::client(owner.0))?
                    .map(|record| record.client)),
                None => Ok(None),
            })
    }

    async fn clients(
        &self,
        after: Option<ClientId>,
        limit: usize,
    ) -> Result<Vec<Client>, StoreError> {
        self.main.read(|view| {
            let page = KeyRange::all().after_any(after.map(table::client));
            Ok(view
                .list(&page, limit)?
                .into_iter()
                .map(|record| record.client)
                .collect())
        })
    }

    async fn change_client(
        &self,
        id: ClientId,
        change: ClientChange,
        audit: AuditEntry,
    ) -> Result<Option<Client>, StoreError> {
        self.main
            .write(move |transaction| clients::change(transaction, id, change, &audit))
            .await
    }

    async fn create_key(&self, key: NewKey, audit: AuditEntry) -> Result<Option<Key>, StoreError> {
        let clock = Arc::clone(&self.clock);
        self.main
            .write(move |transaction| keys::create(transaction, key, &audit, clock.now()))
            .await
    }

    async fn key(&self, id: KeyId) -> Result<Option<Key>, StoreError> {
        self.main
            .read(|view| keys::find(view, id).map(|key_record| key_record.map(|(_, key)| key)))
    }

    async fn keys(&self, client: ClientId) -> Result<Vec<Key>, StoreError> {
        self.main
            .read(|view| match common::client_number(view, client)? {
                Some(client_number) => view.list(&table::keys(client_number), usize::MAX),
                None => Ok(Vec::new()),
            })
    }

    async fn change_key(
        &self,
        id: KeyId,
        change: KeyChange,
        audit: AuditEntry,
    ) -> Result<Option<Key>, StoreError> {
        let clock = Arc::clone(&self.clock);
        self.main
            .write(move |transaction| keys::change(transaction, id, change, &audit, clock.now()))
            .await
    }

    async fn store_key_uses(&self, uses: Vec<KeyUse>) -> Result<(), StoreError> {
        self.main
            .write(move |transaction| keys::store_uses(transaction, &uses))
            .await
    }

    async fn key_by_digest(&self, digest: KeyDigest) -> Result<Option<KeyWithClient>, StoreError> {
        let cached_key = self
            .lookup_cache
            .keys
            .get_or_load(&digest, || self.main.read(|view| load_key(view, digest)))?;
        Ok(cached_key.map(|cached_key| cached_key.key.clone()))
    }

    async fn register_context(
        &self,
        context: NewContext,
        input: Option<IdempotencyInput>,
        audit: AuditEntry,
    ) -> Result<RegisterOutcome, StoreError> {
        let idempotency = Arc::clone(&self.idempotency);
        let clock = Arc::clone(&self.clock);
        let work = move |transaction: &mut WriteTransaction<'_>| {
            contexts::register(
                transaction,
                context,
                input.as_ref(),
                &idempotency,
                &audit,
                clock.now(),
            )
        };
        self.main.write(work).await
    }

    async fn context(&self, id: &ContextId) -> Result<Option<Context>, StoreError> {
        let cached_context = self
            .lookup_cache
            .contexts
            .get_or_load(id, || self.main.read(|view| load_context(view, id)))?;
        Ok(cached_context.map(|cached_context| cached_context.context.clone()))
    }

    async fn context_of_client(
        &self,
        client: ClientId,
        id: &ContextId,
    ) -> Result<Option<Context>, StoreError> {
        self.main
            .read(|view| match common::client_number(view, client)? {
                Some(client_number) => view.fetch(&table::context(client_number, id)),
                None => Ok(None),
            })
    }

    async fn contexts(
        &self,
        filter: ContextFilter,
        after: Option<ContextId>,
        limit: usize,
    ) -> Result<Vec<Context>, StoreError> {
        self.main
            .read(|view| contexts::list(view, filter, after.as_ref(), limit))
    }

    async fn change_context(
        &self,
        id: &ContextId,
        change: ContextChange,
        audit: AuditEntry,
    ) -> Result<Option<Context>, StoreError> {
        let id = id.clone();
        let clock = Arc::clone(&self.clock);
        self.main
            .write(move |transaction| {
                contexts::change(transaction, &id, change, &audit, clock.now())
            })
            .await
    }

    async fn transfer_contexts(
        &self,
        transfer: ContextTransfer,
    ) -> Result<TransferOutcome, StoreError> {
        let clock = Arc::clone(&self.clock);
        self.main
            .write(move |transaction| transfer::run(transaction, &transfer, clock.now()))
            .await
    }

    async fn append_audit(&self, entry: AuditEntry) -> Result<(), StoreError> {
        self.main
            .write(move |transaction| common::append_audit(transaction, &entry))
            .await
    }
}
