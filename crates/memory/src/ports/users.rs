//! Users of the console.

use crate::MemoryStore;
use async_trait::async_trait;
use voight_domain::ports::{StoreError, UserStore};
use voight_domain::registry::{AuditEntry, User, UserChange};
use voight_domain::vocabulary::UserId;

#[async_trait]
impl UserStore for MemoryStore {
    async fn create_user(&self, user: User, audit: AuditEntry) -> Result<(), StoreError> {
        let mut state = self.state()?;
        let users: Vec<_> = state.users.values().cloned().collect();
        if User::is_new(&user, &users).map_err(StoreError::conflict)? {
            state.users.insert(user.id, user);
            state.audit.push(audit);
        }
        Ok(())
    }

    async fn users(&self) -> Result<Vec<User>, StoreError> {
        Ok(self.state()?.users.values().cloned().collect())
    }

    async fn user(&self, id: UserId) -> Result<Option<User>, StoreError> {
        Ok(self.state()?.users.get(&id).cloned())
    }

    async fn change_user(
        &self,
        id: UserId,
        change: UserChange,
        audit: Option<AuditEntry>,
    ) -> Result<Option<User>, StoreError> {
        let mut state = self.state()?;
        let users: Vec<_> = state.users.values().cloned().collect();
        let Some(user) = state.users.get(&id).cloned() else {
            return Ok(None);
        };
        let changed_user = user
            .changed(&change, &users)
            .map_err(StoreError::conflict)?;
        let Some(changed_user) = changed_user else {
            return Ok(Some(user));
        };
        state.users.insert(id, changed_user.clone());
        state.audit.extend(audit);
        Ok(Some(changed_user))
    }
}
