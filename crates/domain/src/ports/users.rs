//! Port of the users of the console.

use super::StoreError;
use crate::registry::{AuditEntry, User, UserChange};
use crate::vocabulary::UserId;
use async_trait::async_trait;

/// Stores the users of the console.
///
/// No secret is stored, only keyed digests of secrets. The number of users is small, so they are listed without pages, and
/// every read queries the store: a change at one node is visible to the next request at any node.
#[async_trait]
pub trait UserStore: Send + Sync {
    /// Creates a user with the audit entry, in one transaction; a repeat with the same id changes nothing.
    ///
    /// Reads all users and calls [`User::is_new`].
    ///
    /// - `user_name_is_unique`: the name of a user that is not removed is a `Conflict`, under any concurrency.
    async fn create_user(&self, user: User, audit: AuditEntry) -> Result<(), StoreError>;

    /// Returns all users, removed ones included, in the order of their ids.
    async fn users(&self) -> Result<Vec<User>, StoreError>;

    /// Returns the user with this id.
    async fn user(&self, id: UserId) -> Result<Option<User>, StoreError>;

    /// Changes a user by [`User::changed`] with the audit entry, in one transaction.
    ///
    /// Reads all users. Returns `None` if the user does not exist; a rejection is a `Conflict`. A repeat of an applied
    /// change adds no second audit entry.
    ///
    /// - `sign_in_link_works_once`: under any concurrency at most one sign-in uses a link.
    /// - `one_owner_remains`: under any concurrency the last owner is neither removed nor given another role.
    /// - `passkey_belongs_to_one_user`: under any concurrency a passkey or a wallet is added to one user only.
    async fn change_user(
        &self,
        id: UserId,
        change: UserChange,
        audit: Option<AuditEntry>,
    ) -> Result<Option<User>, StoreError>;
}
