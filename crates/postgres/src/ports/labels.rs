//! Labels: ground truth about addresses from operators.

use crate::PostgresStore;
use crate::common;
use crate::connection::Transaction;
use crate::error::{Error, not_found};
use crate::sql::labels;
use crate::value::{RowExt, values};
use async_trait::async_trait;
use voight_domain::ports::{LabelRecord, LabelStore, StoreError};
use voight_domain::registry::AuditEntry;
use voight_domain::vocabulary::{ContextId, EoaAddress};
use voight_encoding::Encode;

#[async_trait]
impl LabelStore for PostgresStore {
    async fn put_labels(
        &self,
        context: &ContextId,
        labels: Vec<LabelRecord>,
        audit: AuditEntry,
    ) -> Result<(), StoreError> {
        let arguments = (context.clone(), labels, audit);
        self.write(arguments, |transaction, (context, labels, audit)| {
            Box::pin(label(transaction, context, labels, audit))
        })
        .await
    }

    async fn labels(
        &self,
        context: &ContextId,
        after: Option<EoaAddress>,
        limit: usize,
    ) -> Result<Vec<LabelRecord>, StoreError> {
        let arguments = (context.clone(), after, limit);
        self.read(arguments, |transaction, (context, after, limit)| {
            Box::pin(list(transaction, context, *after, *limit))
        })
        .await
    }
}

async fn label(
    transaction: &Transaction,
    context: &ContextId,
    labels: &[LabelRecord],
    audit: &AuditEntry,
) -> Result<(), Error> {
    let place = common::lock_context(transaction, context).await?;
    let (client, _) = place.ok_or_else(|| not_found("context", context))?;
    for LabelRecord { address, label } in labels {
        transaction.enqueue_write(
            labels::SET_LABEL,
            values![client, context, *address, label.encode()],
        );
    }
    common::audit(transaction, audit).await
}

async fn list(
    transaction: &Transaction,
    context: &ContextId,
    previous_address: Option<EoaAddress>,
    limit: usize,
) -> Result<Vec<LabelRecord>, Error> {
    let Some(client) = common::context_owner(transaction, context).await? else {
        return Ok(Vec::new());
    };
    let previous_address = previous_address
        .map(|address| address.as_bytes().to_vec())
        .unwrap_or_default();
    let rows = transaction
        .rows(
            labels::LABELS,
            values![client, context, previous_address, limit],
        )
        .await?;
    let records = rows.iter().map(|row| {
        Ok(LabelRecord {
            address: EoaAddress::from_bytes(row.byte_array(0)?),
            label: row.record(1)?,
        })
    });
    records.collect()
}
