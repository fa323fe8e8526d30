//! What a client has used.

use super::{LedgerOf, Ledgers, Names};
use crate::metering::{Counts, Day, Head, Period, Usage};
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
    pub total: Counts,
    /// By day, in order; days without any are left out.
    pub days: BTreeMap<Day, Counts>,
    /// By context, in the order in which they were registered; those without any are left out.
    pub contexts: Vec<(ContextId, Counts)>,
    /// The number of the ledger's last row when this was counted, of whatever time; 0 if it has none.
    pub seq: u64,
    /// The chain's head after that row.
    pub head: Head,
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

impl Ledgers {
    /// What a client has used within `span`, counted row by row.
    pub async fn usage(&self, ledger: LedgerOf, span: Period) -> Result<UsageReport, UsageError> {
        let stretch = self.stretch(ledger, span).await?;
        let rows = stretch.last - stretch.after;
        if rows > USAGE_ROWS_MAX {
            return Err(UsageError::TooMany { rows });
        }
        let mut usage = Usage::default();
        let mut after = stretch.after;
        while after < stretch.last {
            let page = self.rows(&stretch, after, PAGE).await?;
            for row in &page {
                usage.count(row);
            }
            after = page.last().map_or(stretch.last, |row| row.seq);
        }
        let Usage { total, days, contexts } = usage;
        let mut names = Names::default();
        self.learn_contexts(ledger.client, &mut names, contexts.keys().copied().collect()).await?;
        let contexts = contexts.into_iter().map(|(number, counts)| Ok((names.context(number)?, counts)));
        let contexts = contexts.collect::<Result<_, StoreError>>()?;
        Ok(UsageReport { span, total, days, contexts, seq: stretch.seq, head: stretch.head })
    }
}
