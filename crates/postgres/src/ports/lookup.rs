//! Lookups and key checks, the hot path.

use crate::PostgresStore;
use async_trait::async_trait;
use voight_domain::metering::{BatchLookupRequest, LookupOutcome, LookupRequest, RecordedBatch};
use voight_domain::ports::{LookupStore, StoreError};

#[async_trait]
impl LookupStore for PostgresStore {
    async fn answer(&self, request: LookupRequest) -> Result<LookupOutcome, StoreError> {
        self.lookup_batcher
            .answer(request, &self.task_runtime)
            .await
    }

    async fn answer_batch(
        &self,
        request: BatchLookupRequest,
    ) -> Result<LookupOutcome<RecordedBatch>, StoreError> {
        self.lookup_batcher
            .answer_batch(request, &self.task_runtime)
            .await
    }
}
