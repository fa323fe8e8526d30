//! Port of the registry: clients, keys and contexts.

use super::StoreError;
use crate::metering::IdempotencyInput;
use crate::registry::{
    AuditEntry, Client, ClientChange, Context, ContextChange, ContextTransfer, Key, KeyChange,
    KeyUse, KeyWithClient, NewClient, NewContext, NewKey, TransferOutcome,
};
use crate::secrets::KeyDigest;
use crate::vocabulary::{ClientId, ClientName, ContextId, KeyId};
use async_trait::async_trait;

/// Result of a registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegisterOutcome {
    /// The context is registered.
    Registered(Context),
    /// A request with the same idempotency key and parameters was answered before with this context.
    Replayed(ContextId),
    /// The idempotency key was used with other parameters.
    IdempotencyKeyReused,
    /// The key to which the context would belong is unknown, revoked or expired.
    KeyRejected,
}

/// Filter of a list of contexts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextFilter {
    /// All contexts.
    All,
    /// Contexts of a client.
    Client(ClientId),
    /// Contexts of a key.
    Key(KeyId),
}

/// Stores clients, keys and contexts. Every change carries the audit entry that is appended in the same transaction.
///
/// - `change_and_audit_are_one`: a change and its audit entry are written together or not at all.
/// - `change_and_audit_are_seen_together`: a list that contains a change belongs to a moment at which the audit log has its entry
///   (capability `single_moment`).
/// - `lists_are_paged_in_order`: lists are in the order of their ids and start after the given one.
#[async_trait]
pub trait RegistryStore: Send + Sync {
    /// Stores a new client.
    ///
    /// - `client_name_is_unique`: a name or id that is in use is a `Conflict`, also under concurrency.
    async fn create_client(
        &self,
        client: NewClient,
        audit: AuditEntry,
    ) -> Result<Client, StoreError>;

    /// Returns the client with this id.
    async fn client(&self, id: ClientId) -> Result<Option<Client>, StoreError>;

    /// Returns the client with this name.
    async fn client_named(&self, name: &ClientName) -> Result<Option<Client>, StoreError>;

    /// Returns at most `limit` clients after `after`.
    async fn clients(
        &self,
        after: Option<ClientId>,
        limit: usize,
    ) -> Result<Vec<Client>, StoreError>;

    /// Applies a change ([`Client::with_change`]) in one transaction; `None` if the client does not exist.
    async fn change_client(
        &self,
        id: ClientId,
        change: ClientChange,
        audit: AuditEntry,
    ) -> Result<Option<Client>, StoreError>;

    /// Stores a new key and assigns its number; `None` if the client does not exist.
    ///
    /// - `key_numbers_count_up`: numbers run from 1 within a client. A digest that is in use is a `Conflict`.
    async fn create_key(&self, key: NewKey, audit: AuditEntry) -> Result<Option<Key>, StoreError>;

    /// Returns the key with this id.
    async fn key(&self, id: KeyId) -> Result<Option<Key>, StoreError>;

    /// Returns the keys of a client, in the order of their ids.
    async fn keys(&self, client: ClientId) -> Result<Vec<Key>, StoreError>;

    /// Applies a change ([`Key::with_change`]) in one transaction; `None` if the key does not exist.
    ///
    /// The time of the change is that of the adapter's own clock.
    ///
    /// - `rotated_secret_finds_its_key`: [`key_by_digest`](Self::key_by_digest) finds the key by every secret that it
    ///   accepts.
    /// - `reinstated_key_keeps_its_contexts`: a reinstated key can look up addresses in its contexts again, with its
    ///   new secret only.
    /// - `expiring_key_is_reported_once`: a report marks a key and has an event only if the key expires soon and is not
    ///   marked; the mark is stored.
    async fn change_key(
        &self,
        id: KeyId,
        change: KeyChange,
        audit: AuditEntry,
    ) -> Result<Option<Key>, StoreError>;

    /// Stores uses of keys ([`Key::after_use`]). A use of an unknown key is ignored, and no use is audited.
    ///
    /// - `key_use_is_stored_once_a_minute`: the stored use never moves back, and any two stored uses are at least a
    ///   minute apart.
    /// - `key_use_changes_nothing_else`: key, secrets and contexts do not change, also under concurrent changes of the
    ///   key.
    async fn store_key_uses(&self, uses: Vec<KeyUse>) -> Result<(), StoreError>;

    /// Returns the key that has a secret with this digest, with its client.
    ///
    /// The result includes the last acknowledged change. The caller verifies that the secret is still accepted
    /// ([`Key::accepts`]).
    async fn key_by_digest(&self, digest: KeyDigest) -> Result<Option<KeyWithClient>, StoreError>;

    /// Returns the cached result of [`key_by_digest`](Self::key_by_digest); `None` on a cache miss.
    ///
    /// A cached result is at most a second old. For stores that query another machine, and for callers that confirm the
    /// key in their transaction.
    fn cached_key_by_digest(&self, _digest: KeyDigest) -> Option<KeyWithClient> {
        None
    }

    /// Registers a context and assigns its number.
    ///
    /// - `context_numbers_count_up`: numbers run from 1 within a client.
    /// - `registration_retry_is_replayed`: with an idempotency key, a repeat of the request returns the first context.
    /// - `registration_needs_an_active_key`: once a revocation of the key has returned, no later registration for it
    ///   succeeds.
    async fn register_context(
        &self,
        context: NewContext,
        idempotency: Option<IdempotencyInput>,
        audit: AuditEntry,
    ) -> Result<RegisterOutcome, StoreError>;

    /// Returns the context with this id.
    async fn context(&self, id: &ContextId) -> Result<Option<Context>, StoreError>;

    /// Returns the context with this id if it belongs to the client.
    ///
    /// - `foreign_context_is_missing`: the context of another client is `None`, by the reads of a context that does not exist,
    ///   so that the time of the call tells nothing.
    async fn context_of_client(
        &self,
        client: ClientId,
        id: &ContextId,
    ) -> Result<Option<Context>, StoreError>;

    /// Returns at most `limit` contexts after `after`, in the order of their ids.
    async fn contexts(
        &self,
        filter: ContextFilter,
        after: Option<ContextId>,
        limit: usize,
    ) -> Result<Vec<Context>, StoreError>;

    /// Applies a change ([`Context::with_change`]) in one transaction; `None` for an unknown context.
    ///
    /// - `archiving_removes_the_tombstones`: if the changed context is archived, its tombstones are deleted.
    async fn change_context(
        &self,
        id: &ContextId,
        change: ContextChange,
        audit: AuditEntry,
    ) -> Result<Option<Context>, StoreError>;

    /// Moves contexts to another key of their client in one transaction.
    ///
    /// Reads the contexts, the key to revoke and the other key, calls
    /// [`transfer_contexts`](crate::registry::transfer_contexts) at the adapter's own clock, and writes the complete
    /// result.
    ///
    /// - `moved_context_changes_hands`: once the call has returned, lookups in the context are recorded for the new
    ///   key; for the old key they are rejected as if the context did not exist. A concurrent lookup is either recorded
    ///   or rejected.
    /// - `move_is_idempotent`: a repeat of the same move changes nothing and audits nothing.
    /// - `revocation_moves_every_context`: every context of a key to revoke is moved, also one that is registered
    ///   concurrently.
    /// - `rejected_move_changes_nothing`: a rejected move changes neither key nor contexts nor audit log.
    async fn transfer_contexts(
        &self,
        transfer: ContextTransfer,
    ) -> Result<TransferOutcome, StoreError>;

    /// Appends an audit entry that belongs to no other change.
    async fn append_audit(&self, entry: AuditEntry) -> Result<(), StoreError>;
}
