//! Users of the console. Each change locks the head of the audit log first, so changes of users never overlap.

use crate::PostgresStore;
use crate::common;
use crate::connection::Transaction;
use crate::error::{Error, conflict};
use crate::sql::{admin, users};
use crate::value::{RowExt, values};
use async_trait::async_trait;
use voight_domain::ports::{StoreError, UserStore};
use voight_domain::registry::{AuditEntry, User, UserChange};
use voight_domain::vocabulary::UserId;
use voight_encoding::Encode;

#[async_trait]
impl UserStore for PostgresStore {
    async fn create_user(&self, user: User, audit: AuditEntry) -> Result<(), StoreError> {
        self.write((user, audit), |transaction, (user, audit)| {
            Box::pin(create(transaction, user, audit))
        })
        .await
    }

    async fn users(&self) -> Result<Vec<User>, StoreError> {
        self.read((), |transaction, ()| Box::pin(list(transaction)))
            .await
    }

    async fn user(&self, id: UserId) -> Result<Option<User>, StoreError> {
        self.read(id, |transaction, id| Box::pin(fetch(transaction, *id)))
            .await
    }

    async fn change_user(
        &self,
        id: UserId,
        change: UserChange,
        audit: Option<AuditEntry>,
    ) -> Result<Option<User>, StoreError> {
        self.write((id, change, audit), |transaction, (id, change, audit)| {
            Box::pin(change_in(transaction, *id, change, audit.as_ref()))
        })
        .await
    }
}

async fn list(transaction: &Transaction) -> Result<Vec<User>, Error> {
    let rows = transaction.rows(users::USERS, Vec::new()).await?;
    rows.iter().map(|row| row.record(0)).collect()
}

async fn fetch(transaction: &Transaction, id: UserId) -> Result<Option<User>, Error> {
    transaction
        .fetch(users::USER, values![&id.to_bytes()[..]])
        .await
}

async fn create(transaction: &Transaction, user: &User, audit: &AuditEntry) -> Result<(), Error> {
    transaction.row(admin::LOCK_AUDIT_HEAD, Vec::new()).await?;
    if !User::is_new(user, &list(transaction).await?).map_err(conflict)? {
        return Ok(());
    }
    write(transaction, user);
    common::audit(transaction, audit).await
}

async fn change_in(
    transaction: &Transaction,
    id: UserId,
    change: &UserChange,
    audit: Option<&AuditEntry>,
) -> Result<Option<User>, Error> {
    transaction.row(admin::LOCK_AUDIT_HEAD, Vec::new()).await?;
    let users = list(transaction).await?;
    let Some(user) = users.iter().find(|user| user.id == id) else {
        return Ok(None);
    };
    let Some(changed_user) = user.changed(change, &users).map_err(conflict)? else {
        return Ok(Some(user.clone()));
    };
    write(transaction, &changed_user);
    if let Some(audit) = audit {
        common::audit(transaction, audit).await?;
    }
    Ok(Some(changed_user))
}

fn write(transaction: &Transaction, user: &User) {
    transaction.enqueue_write(
        users::SET_USER,
        values![&user.id.to_bytes()[..], user.encode()],
    );
}
