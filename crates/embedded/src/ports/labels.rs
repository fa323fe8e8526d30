//! Labels: ground truth from operators.

use crate::EmbeddedStore;
use crate::common::{self, not_found};
use crate::read_records::ReadRecords;
use crate::table;
use async_trait::async_trait;
use voight_domain::ports::{LabelRecord, LabelStore, StoreError};
use voight_domain::registry::AuditEntry;
use voight_domain::vocabulary::{ContextId, EoaAddress};
use voight_engine::{Engine, Order};

#[async_trait]
impl<E: Engine> LabelStore for EmbeddedStore<E> {
    async fn put_labels(
        &self,
        context: &ContextId,
        labels: Vec<LabelRecord>,
        audit: AuditEntry,
    ) -> Result<(), StoreError> {
        let context = context.clone();
        self.main
            .write(move |transaction| {
                let context_key = transaction
                    .fetch(&table::context_key(&context))?
                    .ok_or_else(|| not_found("context"))?;
                for LabelRecord { address, label } in &labels {
                    transaction.put(table::label(context_key, address), label);
                }
                common::append_audit(transaction, &audit)
            })
            .await
    }

    async fn labels(
        &self,
        context: &ContextId,
        after: Option<EoaAddress>,
        limit: usize,
    ) -> Result<Vec<LabelRecord>, StoreError> {
        self.main.read(|view| {
            let Some(context_key) = view.fetch(&table::context_key(context))? else {
                return Ok(Vec::new());
            };
            let page = table::labels(context_key)
                .after_any(after.map(|address| table::label(context_key, &address)));
            let records = view.collect(&page, Order::Ascending, limit, |key, label| {
                Some(LabelRecord {
                    address: EoaAddress::from_bytes(table::tail(key)?),
                    label,
                })
            })?;
            Ok(records.into_iter().flatten().collect())
        })
    }
}
