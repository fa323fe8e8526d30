//! What checks of labelled people recorded, for training.

use super::{OperatorService, ServiceError};
use crate::ports::{LabelRecord, StoreError};
use crate::verdict::{EventKind, Truth};
use crate::vocabulary::{CheckId, ContextId, EoaAddress};

/// Labels that are looked at between two pages.
const PAGE: usize = 100;
/// Events of an address that are looked at, the latest.
const EVENTS: usize = 1_000;

/// Somebody who agreed that their recordings are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedPerson {
    /// Stands for them in what is kept: the same at every export, and nothing of the address to whoever lacks the pepper.
    pub person: String,
    /// Their checks that were judged, oldest first. The evidence of some may be gone.
    pub checks: Vec<CheckId>,
}

/// A part of those who agreed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordedPage {
    /// They.
    pub people: Vec<RecordedPerson>,
    /// Where the next part begins, if there is one.
    pub next: Option<EoaAddress>,
}

impl OperatorService {
    /// Addresses of a context after `after` that are labelled so, with consent.
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
        page.next = labels.last().filter(|_| labels.len() == PAGE).map(|record| record.address);
        Ok(page)
    }

    /// A name for whoever uses an address.
    fn person(&self, address: &EoaAddress) -> String {
        data_encoding::HEXLOWER.encode(&self.secrets.token_mac("recorded person", address.as_bytes())[..8])
    }

    async fn judged(&self, context: &ContextId, address: &EoaAddress) -> Result<Vec<CheckId>, StoreError> {
        let events = self.store.timeline(context, address, EVENTS).await?;
        let check = |kind| if let EventKind::Judged { check, .. } = kind { Some(check) } else { None };
        Ok(events.into_iter().filter_map(|event| check(event.kind)).collect())
    }
}
