//! Usage of a client.

use super::{LedgerService, NameCache};
use crate::metering::LedgerId;
use crate::metering::{ChainHead, Day, LookupCounts, Period, UsageTotals};
use crate::ports::StoreError;
use crate::vocabulary::ContextId;
use std::collections::BTreeMap;

/// Maximum number of rows of one usage query: several seconds of reading.
pub const USAGE_ROWS_MAX: u64 = 2_000_000;
/// Page size for reading rows.
const PAGE: usize = 1_000;

/// Usage of a client within a date range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageReport {
    /// The date range.
    pub span: Period,
    /// Lookups of the whole range.
    pub total: LookupCounts,
    /// Lookups by day, in order; days without lookups are omitted.
    pub days: BTreeMap<Day, LookupCounts>,
    /// Lookups by context, in the order of registration; contexts without lookups are omitted.
    pub contexts: Vec<(ContextId, LookupCounts)>,
    /// The sequence number of the ledger's last row when usage was counted; 0 for an empty ledger.
    pub seq: u64,
    /// The chain head after that row.
    pub head: ChainHead,
}

/// Error of a usage query.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UsageError {
    /// The range has too many rows.
    #[error(
        "from and to have {rows} rows of the ledger between them, and at most {USAGE_ROWS_MAX} are counted at a time; ask for \
         shorter spans, one after the other"
    )]
    TooMany {
        /// The number of rows in the range.
        rows: u64,
    },
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl LedgerService {
    /// Returns a client's usage within `span`, counted row by row.
    pub async fn usage(&self, ledger: LedgerId, span: Period) -> Result<UsageReport, UsageError> {
        let range = self.range(ledger, span).await?;
        admit(range.last - range.after)?;
        let mut usage = UsageTotals::default();
        let mut cursor = range.after;
        while cursor < range.last {
            let page = self.rows(&range, cursor, PAGE).await?;
            for row in &page {
                usage.count(row);
            }
            cursor = page.last().map_or(range.last, |row| row.seq);
        }
        let UsageTotals {
            total,
            days,
            contexts,
        } = usage;
        let mut names = NameCache::default();
        self.learn_contexts(
            ledger.client,
            &mut names,
            contexts.keys().copied().collect(),
        )
        .await?;
        let contexts = contexts
            .into_iter()
            .map(|(number, counts)| Ok((names.context(number)?, counts)));
        let contexts = contexts.collect::<Result<_, StoreError>>()?;
        Ok(UsageReport {
            span,
            total,
            days,
            contexts,
            seq: range.seq,
            head: range.head,
        })
    }
}

/// Passes if the number of rows is at most [`USAGE_ROWS_MAX`].
const fn admit(rows: u64) -> Result<(), UsageError> {
    if rows > USAGE_ROWS_MAX {
        Err(UsageError::TooMany { rows })
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_rows_name_the_limit() {
        assert_eq!(admit(0), Ok(()));
        assert_eq!(admit(USAGE_ROWS_MAX), Ok(()));
        let message = admit(USAGE_ROWS_MAX + 1).unwrap_err().to_string();
        assert!(
            message.contains("2000001 rows") && message.contains("at most 2000000"),
            "{message}"
        );
    }
}
