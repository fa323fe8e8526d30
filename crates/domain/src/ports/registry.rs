//! Clients, keys, contexts.

use super::StoreError;
use crate::metering::IdempotencyInput;
use crate::registry::{
    AuditEntry, Client, ClientChange, Context, ContextChange, ContextTransfer, Key, KeyChange, KeyUse, KeyWithClient,
    NewClient, NewContext, NewKey, TransferOutcome,
};
use crate::secrets::KeyDigest;
use crate::vocabulary::{ClientId, ClientName, ContextId, KeyId};
use async_trait::async_trait;

/// What became of a registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegisterOutcome {
    /// The context is registered.
    Registered(Context),
    /// The same request was answered before with this context.
    Replayed(ContextId),
    /// The idempotency key was used with other parameters.
    IdempotencyKeyReused,
    /// The key that the context would be tied to is unknown, revoked or expired.
    KeyRefused,
}

/// Which contexts to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextFilter {
    /// All.
    All,
    /// Those of a client.
    Client(ClientId),
    /// Those of a key.
    Key(KeyId),
}

/// Keeps clients, keys and contexts. Every change carries the audit entry that is appended in the same step.
///
/// - `change_and_audit_are_one`: a change and its audit entry are written together or not at all.
/// - `change_and_audit_are_seen_together` (`single_moment`): a list that has a change is of a moment at which the audit log has its
///   entry.
/// - `lists_are_paged_in_order`: lists are in the order of their ids and start after the given one.
#[async_trait]
pub trait RegistryStore: Send + Sync {
    /// Keeps a new client. `client_name_is_unique`: a taken name (or id) is a `Conflict`, also under concurrency.
    async fn create_client(&self, client: NewClient, audit: AuditEntry) -> Result<Client, StoreError>;

    /// The client of this id.
    async fn client(&self, id: ClientId) -> Result<Option<Client>, StoreError>;

    /// The client of this name.
    async fn client_named(&self, name: &ClientName) -> Result<Option<Client>, StoreError>;

    /// At most `limit` clients after `after`.
    async fn clients(&self, after: Option<ClientId>, limit: usize) -> Result<Vec<Client>, StoreError>;

    /// Applies a change ([`Client::after`]) in one step; `None` if there is no such client.
    async fn change_client(
        &self,
        id: ClientId,
        change: ClientChange,
        audit: AuditEntry,
    ) -> Result<Option<Client>, StoreError>;

    /// Keeps a new key and gives it its number; `None` if there is no such client.
    /// `key_numbers_count_up`: numbers run from 1 within a client. A digest that is in use is a `Conflict`.
    async fn create_key(&self, key: NewKey, audit: AuditEntry) -> Result<Option<Key>, StoreError>;

    /// The key of this id.
    async fn key(&self, id: KeyId) -> Result<Option<Key>, StoreError>;

    /// The keys of a client, in the order of their ids.
    async fn keys(&self, client: ClientId) -> Result<Vec<Key>, StoreError>;

    /// Applies a change ([`Key::after`]) at the adapter's own clock in one step; `None` if there is no such key.
    /// `rotated_secret_finds_its_key`: every secret that the key accepts finds it through [`holder`](Self::holder).
    /// `reinstated_key_keeps_its_contexts`: a revoked key that is reinstated looks up in the contexts that are tied to it, with its
    /// new secret only.
    async fn change_key(&self, id: KeyId, change: KeyChange, audit: AuditEntry) -> Result<Option<Key>, StoreError>;

    /// Stores uses of keys ([`Key::after_use`]). A use of an unknown key is ignored, and none is audited.
    /// `key_use_is_stored_once_a_minute`: the stored use never moves back, and no two stored uses are less than a minute apart.
    /// `key_use_changes_nothing_else`: key, secrets and contexts stay as they were, also under concurrent changes of the key.
    async fn store_key_uses(&self, uses: Vec<KeyUse>) -> Result<(), StoreError>;

    /// The key that one of whose secrets has this digest, with its client, as of the last acknowledged change.
    /// Whether the secret is still accepted is the caller's to ask ([`Key::accepts`]).
    async fn key_by_digest(&self, digest: KeyDigest) -> Result<Option<KeyWithClient>, StoreError>;

    /// The same as it was at most a second ago, if the store knows it without asking anybody; otherwise `None`. For stores whose
    /// [`holder`](Self::holder) asks another machine, and for callers who confirm the key in their step.
    fn cached_key_by_digest(&self, _digest: KeyDigest) -> Option<KeyWithClient> {
        None
    }

    /// Registers a context and gives it its number. `context_numbers_count_up`: numbers run from 1 within a client.
    /// `registration_claim_is_replayed`: with a claim, the same request again returns the first context.
    /// `registration_needs_an_active_key`: once a revocation of the key has returned, no later registration for it is made.
    async fn register_context(
        &self,
        context: NewContext,
        claim: Option<IdempotencyInput>,
        audit: AuditEntry,
    ) -> Result<RegisterOutcome, StoreError>;

    /// The context of this id.
    async fn context(&self, id: &ContextId) -> Result<Option<Context>, StoreError>;

    /// At most `limit` contexts after `after`, in the order of their ids.
    async fn contexts(
        &self,
        filter: ContextFilter,
        after: Option<ContextId>,
        limit: usize,
    ) -> Result<Vec<Context>, StoreError>;

    /// Applies a change ([`Context::after`]) in one step; `None` if there is no such context.
    /// `archiving_removes_the_tombstones`: when the context is archived afterwards, what erases had left in it is removed.
    async fn change_context(
        &self,
        id: &ContextId,
        change: ContextChange,
        audit: AuditEntry,
    ) -> Result<Option<Context>, StoreError>;

    /// Moves contexts to another key of their client in one atomic step: reads the contexts, the key to revoke and the other key,
    /// calls [`transfer_contexts`](crate::registry::transfer_contexts) at the adapter's own clock, and writes its step whole.
    ///
    /// - `moved_context_changes_hands`: once the call has returned, lookups in the context are recorded for the other key and
    ///   refused for the old one as for a context that does not exist; one in flight is either recorded or refused.
    /// - `move_is_idempotent`: the same move again changes nothing and audits nothing.
    /// - `revocation_moves_every_context`: of a key to revoke, every context is moved, also one that is registered at the same
    ///   time, and no context stays behind.
    /// - `refused_move_changes_nothing`: a refused move leaves key, contexts and audit log as they were.
    async fn transfer_contexts(&self, transfer: ContextTransfer) -> Result<TransferOutcome, StoreError>;

    /// Appends an audit entry that belongs to no other change.
    async fn append_audit(&self, entry: AuditEntry) -> Result<(), StoreError>;
}
