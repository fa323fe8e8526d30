//! Lookups and key checks, the hot path.

use crate::PostgresStore;
use async_trait::async_trait;
use voight_domain::metering::{LookupOutcome, LookupRequest};
use voight_domain::ports::{LookupStore, StoreError};

#[async_trait]
impl LookupStore for PostgresStore {
    async fn answer(&self, request: LookupRequest) -> Result<LookupOutcome, StoreError> {
        self.lookup_batcher.answer(request, &self.task_runtime).await
    }
}
