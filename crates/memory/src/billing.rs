//! The ledger as it is read.

use crate::MemoryStore;
use async_trait::async_trait;
use std::ops::Bound;
use voight_domain::metering::MeterState;
use voight_domain::ports::{BillingStore, LedgerEntry, StoreError};
use voight_domain::vocabulary::{ClientId, Environment};

#[async_trait]
impl BillingStore for MemoryStore {
    async fn meter(&self, client: ClientId, environment: Environment) -> Result<Option<MeterState>, StoreError> {
        Ok(self.state()?.meters.get(&(client, environment)).copied())
    }

    async fn rows(
        &self,
        client: ClientId,
        environment: Environment,
        after: u64,
        limit: usize,
    ) -> Result<Vec<LedgerEntry>, StoreError> {
        let state = self.state()?;
        let Some(rows) = state.ledgers.get(&(client, environment)) else { return Ok(Vec::new()) };
        Ok(rows.range((Bound::Excluded(after), Bound::Unbounded)).take(limit).map(|(_, entry)| *entry).collect())
    }

    async fn set_cap(&self, client: ClientId, environment: Environment, cap: Option<u64>) -> Result<(), StoreError> {
        let mut state = self.state()?;
        if !state.clients.contains_key(&client) {
            return Err(StoreError::Conflict(format!("there is no client {client}")));
        }
        let meter = state.meters.entry((client, environment));
        meter.or_insert_with(|| MeterState::new(client, environment)).cap = cap;
        Ok(())
    }
}
