//! Search for the verdicts on an address.

use super::read_all::ContextPages;
use super::{OperatorService, VerdictListItem};
use crate::ports::{ContextFilter, StoreError, VerdictRecord};
use crate::registry::Context;
use crate::vocabulary::{ContextId, EoaAddress};

/// Verdict that a search found.
#[derive(Debug, Clone)]
pub struct FoundVerdict {
    /// The context of the verdict.
    pub context: Context,
    /// The verdict.
    pub item: VerdictListItem,
}

impl OperatorService {
    /// Returns at most `limit` verdicts on an address in the contexts after `after`, ordered by the id of the context.
    ///
    /// A context is part of the result if a check of the address was completed in it, an operator has set the verdict, or
    /// an erasure has left a flag.
    pub async fn find_verdicts(
        &self,
        address: EoaAddress,
        after: Option<ContextId>,
        limit: usize,
    ) -> Result<Vec<FoundVerdict>, StoreError> {
        let mut found_verdicts = Vec::new();
        let mut pages = ContextPages::new(self.store.as_ref(), ContextFilter::All, after);
        while let Some(contexts) = pages.next().await? {
            for context in contexts {
                let Some(item) = self.verdict_in(&context.id, address).await? else {
                    continue;
                };
                found_verdicts.push(FoundVerdict { context, item });
                if found_verdicts.len() >= limit {
                    return Ok(found_verdicts);
                }
            }
        }
        Ok(found_verdicts)
    }

    /// Returns the verdict on an address in a context; `None` if it has neither a verdict nor a tombstone.
    async fn verdict_in(
        &self,
        context: &ContextId,
        address: EoaAddress,
    ) -> Result<Option<VerdictListItem>, StoreError> {
        let verdict = self.store.verdict(context, &address).await?;
        let tombstone = self.tombstone(context, &address).await?;
        if verdict.is_none() && tombstone.is_none() {
            return Ok(None);
        }
        let record = VerdictRecord {
            address,
            verdict: verdict.unwrap_or_default(),
        };
        self.list_item(context, record, tombstone).await.map(Some)
    }
}
