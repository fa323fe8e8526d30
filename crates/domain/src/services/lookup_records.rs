//! Individual lookups of a ledger, in the form that a client can use.

use super::read_all::ContextPages;
use super::{LedgerRange, LedgerService};
use crate::metering::LedgerId;
use crate::metering::{LedgerRow, LookupRow, RowKind};
use crate::ports::{ContextFilter, StoreError};
use crate::vocabulary::{ClientId, ContextId, KeyId, Timestamp};
use std::collections::{HashMap, HashSet};

/// Lookup row with the ids of its context and key instead of their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookupRecord {
    /// The ledger that holds the row.
    pub ledger: LedgerId,
    /// The sequence number of the row. Period markers have sequence numbers too, so the numbers of lookups have gaps.
    pub seq: u64,
    /// The time of the answer.
    pub at: Timestamp,
    /// The context.
    pub context: ContextId,
    /// The key of the lookup.
    pub key: KeyId,
    /// The remaining fields of the row.
    pub row: LookupRow,
}

/// Page of lookups of a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordPage {
    /// The lookups, in order.
    pub records: Vec<LookupRecord>,
    /// The sequence number after which the next page begins; `None` after the last page.
    pub next: Option<u64>,
}

/// Cache of the ids for the context and key numbers in a client's rows. Filled on demand.
#[derive(Debug, Clone, Default)]
pub struct NameCache {
    contexts: HashMap<u32, ContextId>,
    keys: HashMap<u32, KeyId>,
}

impl LedgerService {
    /// Returns the lookups in at most `limit` rows of a range after the sequence number `after`. `names` is a cache for
    /// the same client; a caller that reads several pages passes the same cache.
    pub async fn records(
        &self,
        stretch: &LedgerRange,
        names: &mut NameCache,
        after: u64,
        limit: usize,
    ) -> Result<RecordPage, StoreError> {
        let rows = self.rows(stretch, after, limit).await?;
        let next = rows
            .last()
            .map(|row| row.seq)
            .filter(|seq| *seq < stretch.last);
        let lookups: Vec<_> = rows.iter().filter_map(lookup).collect();
        let client = stretch.ledger.client;
        self.learn_contexts(
            client,
            names,
            lookups.iter().map(|(_, lookup)| lookup.context).collect(),
        )
        .await?;
        self.learn_keys(
            client,
            names,
            lookups.iter().map(|(_, lookup)| lookup.key).collect(),
        )
        .await?;
        let record =
            |(row, lookup): &(&LedgerRow, LookupRow)| names.record(stretch.ledger, row, *lookup);
        Ok(RecordPage {
            records: lookups.iter().map(record).collect::<Result<_, _>>()?,
            next,
        })
    }

    /// Loads the ids of the contexts with these numbers into the cache.
    pub(super) async fn learn_contexts(
        &self,
        client: ClientId,
        names: &mut NameCache,
        mut wanted: HashSet<u32>,
    ) -> Result<(), StoreError> {
        wanted.retain(|number| !names.contexts.contains_key(number));
        let filter = ContextFilter::Client(client);
        let mut pages = ContextPages::new(self.store.as_ref(), filter, None);
        while !wanted.is_empty()
            && let Some(page) = pages.next().await?
        {
            let found_contexts = page.iter().filter(|context| wanted.remove(&context.number));
            names
                .contexts
                .extend(found_contexts.map(|context| (context.number, context.id.clone())));
        }
        Ok(())
    }

    async fn learn_keys(
        &self,
        client: ClientId,
        names: &mut NameCache,
        wanted: HashSet<u32>,
    ) -> Result<(), StoreError> {
        if wanted.iter().any(|number| !names.keys.contains_key(number)) {
            names.keys = self
                .store
                .keys(client)
                .await?
                .iter()
                .map(|key| (key.number, key.id))
                .collect();
        }
        Ok(())
    }
}

impl NameCache {
    /// Returns the id of the context with this number.
    pub(super) fn context(&self, number: u32) -> Result<ContextId, StoreError> {
        self.contexts
            .get(&number)
            .cloned()
            .ok_or_else(|| unknown_number("context", number))
    }

    fn record(
        &self,
        ledger: LedgerId,
        row: &LedgerRow,
        lookup: LookupRow,
    ) -> Result<LookupRecord, StoreError> {
        let context = self.context(lookup.context)?;
        let key = *self
            .keys
            .get(&lookup.key)
            .ok_or_else(|| unknown_number("key", lookup.key))?;
        Ok(LookupRecord {
            ledger,
            seq: row.seq,
            at: row.at,
            context,
            key,
            row: lookup,
        })
    }
}

fn lookup(row: &LedgerRow) -> Option<(&LedgerRow, LookupRow)> {
    match row.kind {
        RowKind::Lookup(lookup) => Some((row, lookup)),
        RowKind::PeriodEnd(_) => None,
    }
}

fn unknown_number(what: &str, number: u32) -> StoreError {
    StoreError::Corrupt(format!(
        "a row of a ledger names {what} {number} of its client, which is not there"
    ))
}
