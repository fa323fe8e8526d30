//! Port of labels: ground truth that operators supply.

use super::StoreError;
use crate::registry::AuditEntry;
use crate::verdict::Label;
use crate::vocabulary::{ContextId, EoaAddress};
use async_trait::async_trait;

/// Label with the address that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelRecord {
    /// The address.
    pub address: EoaAddress,
    /// The label.
    pub label: Label,
}

/// Stores labels. An [erasure](super::ErasureStore::erase) deletes those of its address.
#[async_trait]
pub trait LabelStore: Send + Sync {
    /// Stores labels of a context with their audit entry, in one transaction.
    ///
    /// - `labels_are_stored_completely`: all of the labels and the entry are stored, or nothing is.
    /// - `a_label_replaces_the_one_before`: an address has at most one label in a context, the latest.
    async fn put_labels(
        &self,
        context: &ContextId,
        labels: Vec<LabelRecord>,
        audit: AuditEntry,
    ) -> Result<(), StoreError>;

    /// Returns at most `limit` labels of a context after `after`, in the order of their addresses.
    ///
    /// - `labels_are_paged_in_order`: the pages together hold every label of the context once, and no label of another
    ///   context.
    async fn labels(
        &self,
        context: &ContextId,
        after: Option<EoaAddress>,
        limit: usize,
    ) -> Result<Vec<LabelRecord>, StoreError>;
}
