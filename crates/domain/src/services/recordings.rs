//! Recordings of checks of labelled visitors, for training.

use super::{OperatorService, ServiceError};
use crate::check::EvidenceBatch;
use crate::ports::{LabelRecord, StoreError};
use crate::verdict::{EventKind, Truth};
use crate::vocabulary::{CheckId, ContextId, EoaAddress};

/// Page size for reading labels.
const PAGE: usize = 100;
/// Maximum number of events that are read for an address, the latest ones.
const EVENTS: usize = 1_000;

/// Visitor who consented to the use of the recordings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedPerson {
    /// Pseudonym: stable across exports, and not linkable to the address without the pepper.
    pub person: String,
    /// Evaluated checks of the visitor, oldest first. The evidence of some may have been deleted.
    pub checks: Vec<CheckId>,
}

/// Page of the visitors who consented.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordedPage {
    /// The consenting visitors of this page.
    pub people: Vec<RecordedPerson>,
    /// The address after which the next page begins; `None` after the last page.
    pub next: Option<EoaAddress>,
}

impl OperatorService {
    /// Returns the addresses of a context after `after` that have this label and consent.
    pub async fn list_recorded(
        &self,
        context: &ContextId,
        truth: Truth,
        after: Option<EoaAddress>,
    ) -> Result<RecordedPage, ServiceError> {
        let labels = self.store.labels(context, after, PAGE).await?;
        let mut page = RecordedPage::default();
        for LabelRecord { address, label } in &labels {
            if label.consent && label.truth == truth {
                page.people.push(RecordedPerson {
                    person: self.person(address),
                    checks: self.judged(context, address).await?,
                });
            }
        }
        page.next = labels
            .last()
            .filter(|_| labels.len() == PAGE)
            .map(|record| record.address);
        Ok(page)
    }

    /// Returns the evidence of a check, in the order of the batches.
    pub async fn batches(&self, check: CheckId) -> Result<Vec<EvidenceBatch>, StoreError> {
        self.store.batches(check).await
    }

    /// Returns the pseudonym of the visitor who uses an address.
    fn person(&self, address: &EoaAddress) -> String {
        data_encoding::HEXLOWER.encode(
            &self
                .secrets
                .token_mac("recorded person", address.as_bytes())[..8],
        )
    }

    async fn judged(
        &self,
        context: &ContextId,
        address: &EoaAddress,
    ) -> Result<Vec<CheckId>, StoreError> {
        let events = self.store.timeline(context, address, EVENTS).await?;
        let check = |kind| {
            if let EventKind::Judged { check, .. } = kind {
                Some(check)
            } else {
                None
            }
        };
        Ok(events
            .into_iter()
            .filter_map(|event| check(event.kind))
            .collect())
    }
}
