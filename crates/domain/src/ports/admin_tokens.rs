//! Port of named admin tokens.

use super::StoreError;
use crate::registry::{AdminToken, AdminTokenChange, AuditEntry};
use crate::vocabulary::AdminTokenId;
use async_trait::async_trait;

/// Stores the records of named admin tokens.
///
/// No secret and no digest of one is stored. The number of tokens is small, so they are listed without pages, and every
/// read queries the store: a change at one node is visible to the next request at any node.
#[async_trait]
pub trait AdminTokenStore: Send + Sync {
    /// Creates a token with its audit entry, in one transaction; a repeat with the same id changes nothing.
    ///
    /// - `token_name_is_unique`: the name of a token that is not revoked is a `Conflict`, under any concurrency.
    async fn create_admin_token(
        &self,
        token: AdminToken,
        audit: AuditEntry,
    ) -> Result<(), StoreError>;

    /// Returns all tokens, revoked ones included, in the order of their ids.
    async fn admin_tokens(&self) -> Result<Vec<AdminToken>, StoreError>;

    /// Returns the token with this id.
    async fn admin_token(&self, id: AdminTokenId) -> Result<Option<AdminToken>, StoreError>;

    /// Changes a token by [`AdminToken::changed`] with its audit entry, in one transaction.
    ///
    /// Returns `None` if the token does not exist. A repeat of an applied change adds no second audit entry.
    ///
    /// - `rotation_raises_the_generation`: a rotation to the next generation is stored; a rotation to any other is a
    ///   `Conflict`.
    /// - `revoked_token_stays_revoked`: a rotation of a revoked token is a `Conflict`, and its time of revocation never
    ///   changes.
    async fn change_admin_token(
        &self,
        id: AdminTokenId,
        change: AdminTokenChange,
        audit: AuditEntry,
    ) -> Result<Option<AdminToken>, StoreError>;
}
