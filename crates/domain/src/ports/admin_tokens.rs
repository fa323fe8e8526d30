//! Named admin tokens.

use super::StoreError;
use crate::registry::{AdminToken, AdminTokenChange, AuditEntry};
use crate::vocabulary::AdminTokenId;
use async_trait::async_trait;

/// Keeps the records of named admin tokens. No secret and no digest of one is stored. There are few tokens, so they are listed
/// without pages, and every read goes to the store: what one node has changed, the next request at any node sees.
#[async_trait]
pub trait AdminTokenStore: Send + Sync {
    /// Creates a token with its audit entry, in one step; the same id again changes nothing.
    ///
    /// - `token_name_is_unique`: a name that a token has which is not revoked is a `Conflict`, under any concurrency.
    async fn create_admin_token(&self, token: AdminToken, audit: AuditEntry) -> Result<(), StoreError>;

    /// Every token, those that are revoked included, in the order of their ids.
    async fn admin_tokens(&self) -> Result<Vec<AdminToken>, StoreError>;

    /// The token of this id.
    async fn admin_token(&self, id: AdminTokenId) -> Result<Option<AdminToken>, StoreError>;

    /// Changes a token by [`AdminToken::changed`] with its audit entry, in one step; `None` if there is no such token. A change that
    /// has been made already has no second entry.
    ///
    /// - `rotation_raises_the_generation`: a rotation to the next generation is kept; one to any other is a `Conflict`.
    /// - `revoked_token_stays_revoked`: a rotation of a revoked token is a `Conflict`, and its time of revocation never changes.
    async fn change_admin_token(
        &self,
        id: AdminTokenId,
        change: AdminTokenChange,
        audit: AuditEntry,
    ) -> Result<Option<AdminToken>, StoreError>;
}
