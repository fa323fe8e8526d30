//! Named admin tokens. Each change locks the head of the audit log first, so changes of tokens never overlap.

use crate::PostgresStore;
use crate::common;
use crate::connection::Transaction;
use crate::error::{Error, conflict};
use crate::sql::{admin, admin_tokens};
use crate::value::{RowExt, values};
use async_trait::async_trait;
use voight_domain::ports::{AdminTokenStore, StoreError};
use voight_domain::registry::{AdminToken, AdminTokenChange, AuditEntry};
use voight_domain::vocabulary::AdminTokenId;
use voight_encoding::Encode;

#[async_trait]
impl AdminTokenStore for PostgresStore {
    async fn create_admin_token(
        &self,
        token: AdminToken,
        audit: AuditEntry,
    ) -> Result<(), StoreError> {
        self.write((token, audit), |transaction, (token, audit)| {
            Box::pin(create(transaction, token, audit))
        })
        .await
    }

    async fn admin_tokens(&self) -> Result<Vec<AdminToken>, StoreError> {
        self.read((), |transaction, ()| Box::pin(list(transaction)))
            .await
    }

    async fn admin_token(&self, id: AdminTokenId) -> Result<Option<AdminToken>, StoreError> {
        self.read(id, |transaction, id| Box::pin(fetch(transaction, *id)))
            .await
    }

    async fn change_admin_token(
        &self,
        id: AdminTokenId,
        change: AdminTokenChange,
        audit: AuditEntry,
    ) -> Result<Option<AdminToken>, StoreError> {
        self.write((id, change, audit), |transaction, (id, change, audit)| {
            Box::pin(change_in(transaction, *id, *change, audit))
        })
        .await
    }
}

async fn list(transaction: &Transaction) -> Result<Vec<AdminToken>, Error> {
    let rows = transaction
        .rows(admin_tokens::ADMIN_TOKENS, Vec::new())
        .await?;
    rows.iter().map(|row| row.record(0)).collect()
}

async fn fetch(transaction: &Transaction, id: AdminTokenId) -> Result<Option<AdminToken>, Error> {
    transaction
        .fetch(admin_tokens::ADMIN_TOKEN, values![&id.to_bytes()[..]])
        .await
}

async fn create(
    transaction: &Transaction,
    token: &AdminToken,
    audit: &AuditEntry,
) -> Result<(), Error> {
    transaction.row(admin::LOCK_AUDIT_HEAD, Vec::new()).await?;
    if !AdminToken::is_new(token, &list(transaction).await?).map_err(conflict)? {
        return Ok(());
    }
    keep(transaction, token, audit).await
}

async fn change_in(
    transaction: &Transaction,
    id: AdminTokenId,
    change: AdminTokenChange,
    audit: &AuditEntry,
) -> Result<Option<AdminToken>, Error> {
    transaction.row(admin::LOCK_AUDIT_HEAD, Vec::new()).await?;
    let Some(token) = fetch(transaction, id).await? else {
        return Ok(None);
    };
    let Some(new_token) = token.changed(change).map_err(conflict)? else {
        return Ok(Some(token));
    };
    keep(transaction, &new_token, audit).await?;
    Ok(Some(new_token))
}

async fn keep(
    transaction: &Transaction,
    token: &AdminToken,
    audit: &AuditEntry,
) -> Result<(), Error> {
    transaction.enqueue_write(
        admin_tokens::SET_ADMIN_TOKEN,
        values![&token.id.to_bytes()[..], token.encode()],
    );
    common::audit(transaction, audit).await
}
