//! The lookups of a ledger one by one, as a client can use them.

use super::{LedgerId, LedgerRange, LedgerService};
use crate::metering::{LedgerRow, LookupRow, RowKind};
use crate::ports::{ContextFilter, StoreError};
use crate::vocabulary::{ClientId, ContextId, KeyId, Timestamp};
use std::collections::{HashMap, HashSet};

/// How many contexts one call of the store is asked for.
const PAGE: usize = 500;

/// A lookup as its row has it, with names for the numbers in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookupRecord {
    /// Whose ledger it is in.
    pub ledger: LedgerId,
    /// Its number in the ledger. The ends of periods have numbers too, so that there are gaps between lookups.
    pub seq: u64,
    /// When it was answered.
    pub at: Timestamp,
    /// The context.
    pub context: ContextId,
    /// The key it was asked with.
    pub key: KeyId,
    /// The rest of the row.
    pub row: LookupRow,
}

/// Some lookups of a stretch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordPage {
    /// The lookups, in order.
    pub records: Vec<LookupRecord>,
    /// The number to go on after; `None` if there is no more.
    pub next: Option<u64>,
}

/// What the numbers in a client's rows stand for, as far as it was needed so far.
#[derive(Debug, Clone, Default)]
pub struct NameCache {
    contexts: HashMap<u32, ContextId>,
    keys: HashMap<u32, KeyId>,
}

impl LedgerService {
    /// The lookups in at most `limit` rows of a stretch after the number `after`. `names` are the client's; whoever reads page
    /// after page hands in the same.
    pub async fn records(
        &self,
        stretch: &LedgerRange,
        names: &mut NameCache,
        after: u64,
        limit: usize,
    ) -> Result<RecordPage, StoreError> {
        let rows = self.rows(stretch, after, limit).await?;
        let next = rows.last().map(|row| row.seq).filter(|seq| *seq < stretch.last);
        let lookups: Vec<_> = rows.iter().filter_map(lookup).collect();
        let client = stretch.ledger.client;
        self.learn_contexts(client, names, lookups.iter().map(|(_, lookup)| lookup.context).collect()).await?;
        self.learn_keys(client, names, lookups.iter().map(|(_, lookup)| lookup.key).collect()).await?;
        let record = |(row, lookup): &(&LedgerRow, LookupRow)| names.record(stretch.ledger, row, *lookup);
        Ok(RecordPage { records: lookups.iter().map(record).collect::<Result<_, _>>()?, next })
    }

    /// Learns the ids of the contexts with these numbers.
    pub(super) async fn learn_contexts(
        &self,
        client: ClientId,
        names: &mut NameCache,
        mut wanted: HashSet<u32>,
    ) -> Result<(), StoreError> {
        wanted.retain(|number| !names.contexts.contains_key(number));
        let mut after = None;
        while !wanted.is_empty() {
            let page = self.registry.contexts(ContextFilter::Client(client), after, PAGE).await?;
            let found = page.iter().filter(|context| wanted.remove(&context.number));
            names.contexts.extend(found.map(|context| (context.number, context.id.clone())));
            if page.len() < PAGE {
                break;
            }
            after = page.last().map(|context| context.id.clone());
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
            names.keys = self.registry.keys(client).await?.iter().map(|key| (key.number, key.id)).collect();
        }
        Ok(())
    }
}

impl NameCache {
    /// The context of this number.
    pub(super) fn context(&self, number: u32) -> Result<ContextId, StoreError> {
        self.contexts.get(&number).cloned().ok_or_else(|| unknown_number("context", number))
    }

    fn record(&self, ledger: LedgerId, row: &LedgerRow, lookup: LookupRow) -> Result<LookupRecord, StoreError> {
        let context = self.context(lookup.context)?;
        let key = *self.keys.get(&lookup.key).ok_or_else(|| unknown_number("key", lookup.key))?;
        Ok(LookupRecord { ledger, seq: row.seq, at: row.at, context, key, row: lookup })
    }
}

fn lookup(row: &LedgerRow) -> Option<(&LedgerRow, LookupRow)> {
    match row.kind {
        RowKind::Lookup(lookup) => Some((row, lookup)),
        RowKind::PeriodEnd(_) => None,
    }
}

fn unknown_number(what: &str, number: u32) -> StoreError {
    StoreError::Corrupt(format!("a row of a ledger names {what} {number} of its client, which is not there"))
}
