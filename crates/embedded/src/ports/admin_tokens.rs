//! Named admin tokens.

use crate::EmbeddedStore;
use crate::common;
use crate::read_records::ReadRecords;
use crate::table::{self, KeyRange};
use crate::write_transaction::WriteTransaction;
use async_trait::async_trait;
use voight_domain::ports::{AdminTokenStore, StoreError};
use voight_domain::registry::{AdminToken, AdminTokenChange, AuditEntry};
use voight_domain::vocabulary::AdminTokenId;
use voight_engine::Engine;

#[async_trait]
impl<E: Engine> AdminTokenStore for EmbeddedStore<E> {
    async fn create_admin_token(
        &self,
        token: AdminToken,
        audit: AuditEntry,
    ) -> Result<(), StoreError> {
        self.main
            .write(move |transaction| create(transaction, &token, &audit))
            .await
    }

    async fn admin_tokens(&self) -> Result<Vec<AdminToken>, StoreError> {
        self.main
            .read(|view| view.list(&KeyRange::<AdminToken>::all(), usize::MAX))
    }

    async fn admin_token(&self, id: AdminTokenId) -> Result<Option<AdminToken>, StoreError> {
        self.main.read(|view| view.fetch(&table::admin_token(id)))
    }

    async fn change_admin_token(
        &self,
        id: AdminTokenId,
        change: AdminTokenChange,
        audit: AuditEntry,
    ) -> Result<Option<AdminToken>, StoreError> {
        self.main
            .write(move |transaction| change_in(transaction, id, change, &audit))
            .await
    }
}

fn create(
    transaction: &mut WriteTransaction<'_>,
    token: &AdminToken,
    audit: &AuditEntry,
) -> Result<(), StoreError> {
    let tokens = transaction.list(&KeyRange::<AdminToken>::all(), usize::MAX)?;
    if !AdminToken::is_new(token, &tokens).map_err(StoreError::conflict)? {
        return Ok(());
    }
    transaction.put(table::admin_token(token.id), token);
    common::append_audit(transaction, audit)
}

fn change_in(
    transaction: &mut WriteTransaction<'_>,
    id: AdminTokenId,
    change: AdminTokenChange,
    audit: &AuditEntry,
) -> Result<Option<AdminToken>, StoreError> {
    let Some(token) = transaction.fetch(&table::admin_token(id))? else {
        return Ok(None);
    };
    let Some(new_token) = token.changed(change).map_err(StoreError::conflict)? else {
        return Ok(Some(token));
    };
    transaction.put(table::admin_token(id), &new_token);
    common::append_audit(transaction, audit)?;
    Ok(Some(new_token))
}
