//! What operators know of addresses.

use super::StoreError;
use crate::registry::AuditEntry;
use crate::verdict::Label;
use crate::vocabulary::{ContextId, EoaAddress};
use async_trait::async_trait;

/// A label with the address it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelRecord {
    /// The address.
    pub address: EoaAddress,
    /// The label.
    pub label: Label,
}

/// Keeps labels. An [erase](super::ErasureStore::erase) removes those of its address.
#[async_trait]
pub trait LabelStore: Send + Sync {
    /// Keeps labels of a context with their audit entry, in one step.
    ///
    /// - `labels_are_kept_whole`: all of them and the entry are kept, or nothing is.
    /// - `a_label_replaces_the_one_before`: an address has one label in a context, the last that was given.
    async fn put_labels(
        &self,
        context: &ContextId,
        labels: Vec<LabelRecord>,
        audit: AuditEntry,
    ) -> Result<(), StoreError>;

    /// At most `limit` labels of a context after `after`, in the order of their addresses.
    ///
    /// - `labels_are_paged_in_order`: pages joined give every label of the context once, and no other context's.
    async fn labels(
        &self,
        context: &ContextId,
        after: Option<EoaAddress>,
        limit: usize,
    ) -> Result<Vec<LabelRecord>, StoreError>;
}
