//! The hot path.

use crate::PostgresStore;
use async_trait::async_trait;
use std::sync::Arc;
use voight_domain::metering::{LookupOutcome, LookupRequest};
use voight_domain::ports::{LookupStore, StoreError};

#[async_trait]
impl LookupStore for PostgresStore {
    async fn answer(&self, request: LookupRequest) -> Result<LookupOutcome, StoreError> {
        let batches = Arc::clone(&self.batches);
        self.background.finish(async move { batches.answer(request).await }).await
    }
}
