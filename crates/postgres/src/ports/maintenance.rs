//! Maintenance port. Disk maintenance is left to the database.

use crate::PostgresStore;
use async_trait::async_trait;
use std::sync::Arc;
use voight_domain::ports::{MaintenanceStore, ScrubProgress, StoreError, StoreStatus};

#[async_trait]
impl MaintenanceStore for PostgresStore {
    fn scrub(&self, _: usize) -> Result<Option<ScrubProgress>, StoreError> {
        Ok(None)
    }

    fn status(&self) -> Result<StoreStatus, StoreError> {
        Ok(StoreStatus {
            committed_at: self.transactions.committed_at(),
            ledger_commits: Some(self.lookup_batcher.commits()),
            ..StoreStatus::default()
        })
    }

    async fn try_acquire_lease(&self) -> Result<bool, StoreError> {
        let leader_lease = Arc::clone(&self.leader_lease);
        self.task_runtime
            .run_to_completion(async move { Ok(leader_lease.try_acquire().await?) })
            .await
    }
}
