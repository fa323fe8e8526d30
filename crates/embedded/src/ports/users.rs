//! Users of the console.

use crate::EmbeddedStore;
use crate::common;
use crate::read_records::ReadRecords;
use crate::table::{self, KeyRange};
use crate::write_transaction::WriteTransaction;
use async_trait::async_trait;
use voight_domain::ports::{StoreError, UserStore};
use voight_domain::registry::{AuditEntry, User, UserChange};
use voight_domain::vocabulary::UserId;
use voight_engine::Engine;

#[async_trait]
impl<E: Engine> UserStore for EmbeddedStore<E> {
    async fn create_user(&self, user: User, audit: AuditEntry) -> Result<(), StoreError> {
        self.main
            .write(move |transaction| create(transaction, &user, &audit))
            .await
    }

    async fn users(&self) -> Result<Vec<User>, StoreError> {
        self.main
            .read(|view| view.list(&KeyRange::<User>::all(), usize::MAX))
    }

    async fn user(&self, id: UserId) -> Result<Option<User>, StoreError> {
        self.main.read(|view| view.fetch(&table::user(id)))
    }

    async fn change_user(
        &self,
        id: UserId,
        change: UserChange,
        audit: Option<AuditEntry>,
    ) -> Result<Option<User>, StoreError> {
        self.main
            .write(move |transaction| change_in(transaction, id, &change, audit.as_ref()))
            .await
    }
}

fn create(
    transaction: &mut WriteTransaction<'_>,
    user: &User,
    audit: &AuditEntry,
) -> Result<(), StoreError> {
    let users = transaction.list(&KeyRange::<User>::all(), usize::MAX)?;
    if !User::is_new(user, &users).map_err(StoreError::conflict)? {
        return Ok(());
    }
    transaction.put(table::user(user.id), user);
    common::append_audit(transaction, audit)
}

fn change_in(
    transaction: &mut WriteTransaction<'_>,
    id: UserId,
    change: &UserChange,
    audit: Option<&AuditEntry>,
) -> Result<Option<User>, StoreError> {
    let users = transaction.list(&KeyRange::<User>::all(), usize::MAX)?;
    let Some(user) = users.iter().find(|user| user.id == id) else {
        return Ok(None);
    };
    let Some(changed_user) = user.changed(change, &users).map_err(StoreError::conflict)? else {
        return Ok(Some(user.clone()));
    };
    transaction.put(table::user(id), &changed_user);
    if let Some(audit) = audit {
        common::append_audit(transaction, audit)?;
    }
    Ok(Some(changed_user))
}
