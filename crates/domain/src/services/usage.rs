//! What a client has used.

use super::{LedgerId, LedgerService, NameCache};
use crate::metering::{ChainHead, Day, LookupCounts, Period, UsageTotals};
use crate::ports::StoreError;
use crate::vocabulary::ContextId;
use std::collections::BTreeMap;

/// The most rows that are counted at a time: a few seconds of reading.
pub const USAGE_ROWS_MAX: u64 = 2_000_000;
/// How many rows one call of the store is asked for.
const PAGE: usize = 1_000;

/// What a client has used within a span of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageReport {
    /// The span.
    pub span: Period,
    /// Lookups in it.
    pub total: LookupCounts,
    /// By day, in order; days without any are left out.
    pub days: BTreeMap<Day, LookupCounts>,
    /// By context, in the order in which they were registered; those without any are left out.
    pub contexts: Vec<(ContextId, LookupCounts)>,
    /// The number of the ledger's last row when this was counted, of whatever time; 0 if it has none.
    pub seq: u64,
    /// The chain's head after that row.
    pub head: ChainHead,
}

/// Why usage is not counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UsageError {
    /// There are too many rows in the span.
    #[error(
        "from and to have {rows} rows of the ledger between them, and at most {USAGE_ROWS_MAX} are counted at a time; ask for \
         shorter spans, one after the other"
    )]
    TooMany {
        /// How many.
        rows: u64,
    },
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl LedgerService {
    /// What a client has used within `span`, counted row by row.
    pub async fn usage(&self, ledger: LedgerId, span: Period) -> Result<UsageReport, UsageError> {
        let stretch = self.range(ledger, span).await?;
        admit(stretch.last - stretch.after)?;
        let mut usage = UsageTotals::default();
        let mut after = stretch.after;
        while after < stretch.last {
            let page = self.rows(&stretch, after, PAGE).await?;
            for row in &page {
                usage.count(row);
            }
            after = page.last().map_or(stretch.last, |row| row.seq);
        }
        let UsageTotals { total, days, contexts } = usage;
        let mut names = NameCache::default();
        self.learn_contexts(ledger.client, &mut names, contexts.keys().copied().collect()).await?;
        let contexts = contexts.into_iter().map(|(number, counts)| Ok((names.context(number)?, counts)));
        let contexts = contexts.collect::<Result<_, StoreError>>()?;
        Ok(UsageReport { span, total, days, contexts, seq: stretch.seq, head: stretch.head })
    }
}

/// Refuses so many rows if they are too many.
const fn admit(rows: u64) -> Result<(), UsageError> {
    if rows > USAGE_ROWS_MAX { Err(UsageError::TooMany { rows }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_rows_are_refused_in_words_that_say_how_many() {
        assert_eq!(admit(0), Ok(()));
        assert_eq!(admit(USAGE_ROWS_MAX), Ok(()));
        let refused = admit(USAGE_ROWS_MAX + 1).unwrap_err().to_string();
        assert!(refused.contains("2000001 rows") && refused.contains("at most 2000000"), "{refused}");
    }
}
