//! The database looks after its disk itself.

use crate::PostgresStore;
use async_trait::async_trait;
use std::sync::Arc;
use voight_domain::ports::{MaintenanceStore, ScrubProgress, StoreError, StoreStatus};

#[async_trait]
impl MaintenanceStore for PostgresStore {
    fn scrub(&self, _: usize) -> Result<Option<ScrubProgress>, StoreError> {
        Ok(None)
    }

    fn upkeep(&self) -> Result<StoreStatus, StoreError> {
        Ok(StoreStatus { committed_at: self.transactions.committed_at(), ..StoreStatus::default() })
    }

    async fn take_turn(&self) -> Result<bool, StoreError> {
        let turn = Arc::clone(&self.turn);
        self.background.finish(async move { Ok(turn.take().await?) }).await
    }
}
