//! Ledgers and meters.

use super::{EmbeddedStore, missing, shared};
use crate::typed::ReadRecords;
use crate::{Engine, table};
use async_trait::async_trait;
use voight_domain::metering::MeterState;
use voight_domain::ports::{BillingStore, LedgerEntry, StoreError};
use voight_domain::vocabulary::{ClientId, Environment};

#[async_trait]
impl<E: Engine> BillingStore for EmbeddedStore<E> {
    async fn meter(&self, client: ClientId, environment: Environment) -> Result<Option<MeterState>, StoreError> {
        self.main.read(|view| match shared::tenant(view, client)? {
            Some(tenant) => view.fetch(&table::meter(tenant, environment)),
            None => Ok(None),
        })
    }

    async fn rows(
        &self,
        client: ClientId,
        environment: Environment,
        after: u64,
        limit: usize,
    ) -> Result<Vec<LedgerEntry>, StoreError> {
        self.main.read(|view| {
            let Some(tenant) = shared::tenant(view, client)? else { return Ok(Vec::new()) };
            let page = table::rows(tenant, environment).after(table::row(tenant, environment, after));
            let rows = view.list(&page, limit)?;
            rows.into_iter()
                .map(|row| {
                    let opening = view.fetch(&table::opening(tenant, environment, row.seq))?;
                    Ok(LedgerEntry { row, opening })
                })
                .collect()
        })
    }

    async fn set_cap(&self, client: ClientId, environment: Environment, cap: Option<u64>) -> Result<(), StoreError> {
        self.main
            .write(move |step| {
                let tenant = shared::tenant(step, client)?.ok_or_else(|| missing("client"))?;
                let at = table::meter(tenant, environment);
                let before = step.fetch(&at)?.unwrap_or_else(|| MeterState::new(client, environment));
                step.put(at, &MeterState { cap, ..before });
                Ok(())
            })
            .await
    }
}
