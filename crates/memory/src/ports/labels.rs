//! Labels: ground truth from operators.

use crate::MemoryStore;
use async_trait::async_trait;
use std::ops::Bound;
use voight_domain::ports::{LabelRecord, LabelStore, StoreError};
use voight_domain::registry::AuditEntry;
use voight_domain::vocabulary::{ContextId, EoaAddress};

#[async_trait]
impl LabelStore for MemoryStore {
    async fn put_labels(
        &self,
        context: &ContextId,
        labels: Vec<LabelRecord>,
        audit: AuditEntry,
    ) -> Result<(), StoreError> {
        let mut state = self.state()?;
        if !state.contexts.contains_key(context) {
            return Err(StoreError::Conflict(format!(
                "there is no context {context}"
            )));
        }
        let labels = labels
            .into_iter()
            .map(|LabelRecord { address, label }| ((context.clone(), address), label));
        state.labels.extend(labels);
        state.audit.push(audit);
        Ok(())
    }

    async fn labels(
        &self,
        context: &ContextId,
        after: Option<EoaAddress>,
        limit: usize,
    ) -> Result<Vec<LabelRecord>, StoreError> {
        let state = self.state()?;
        let first = after.map_or_else(
            || Bound::Included((context.clone(), EoaAddress::from_bytes([0; 20]))),
            |after| Bound::Excluded((context.clone(), after)),
        );
        let in_context = state
            .labels
            .range((first, Bound::Unbounded))
            .take_while(|((owner, _), _)| owner == context);
        let records = in_context.map(|((_, address), label)| LabelRecord {
            address: *address,
            label: label.clone(),
        });
        Ok(records.take(limit).collect())
    }
}
