//! Named admin tokens.

use crate::MemoryStore;
use async_trait::async_trait;
use voight_domain::ports::{AdminTokenStore, StoreError};
use voight_domain::registry::{AdminToken, AdminTokenChange, AuditEntry};
use voight_domain::vocabulary::AdminTokenId;

#[async_trait]
impl AdminTokenStore for MemoryStore {
    async fn create_admin_token(
        &self,
        token: AdminToken,
        audit: AuditEntry,
    ) -> Result<(), StoreError> {
        let mut state = self.state()?;
        let tokens: Vec<_> = state.admin_tokens.values().cloned().collect();
        if AdminToken::is_new(&token, &tokens).map_err(StoreError::conflict)? {
            state.admin_tokens.insert(token.id, token);
            state.audit.push(audit);
        }
        Ok(())
    }

    async fn admin_tokens(&self) -> Result<Vec<AdminToken>, StoreError> {
        Ok(self.state()?.admin_tokens.values().cloned().collect())
    }

    async fn admin_token(&self, id: AdminTokenId) -> Result<Option<AdminToken>, StoreError> {
        Ok(self.state()?.admin_tokens.get(&id).cloned())
    }

    async fn change_admin_token(
        &self,
        id: AdminTokenId,
        change: AdminTokenChange,
        audit: AuditEntry,
    ) -> Result<Option<AdminToken>, StoreError> {
        let mut state = self.state()?;
        let Some(token) = state.admin_tokens.get(&id).cloned() else {
            return Ok(None);
        };
        let Some(changed) = token.changed(change).map_err(StoreError::conflict)? else {
            return Ok(Some(token));
        };
        state.admin_tokens.insert(id, changed.clone());
        state.audit.push(audit);
        Ok(Some(changed))
    }
}
