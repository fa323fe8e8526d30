//! Ledger check: a lost or duplicated row voids the measurement.

use anyhow::{Result, ensure};

/// Ledger of a client, as far as responses have named it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ExpectedLedger {
    rows: u64,
}

impl ExpectedLedger {
    /// Creates a ledger with `rows` rows.
    pub(crate) const fn with_rows(rows: u64) -> Self {
        Self { rows }
    }

    /// Returns the number of rows.
    pub(crate) const fn rows(self) -> u64 {
        self.rows
    }

    /// Adds the rows that responses have named. They must be the next ones without gaps and duplicates, and the service must
    /// bill the same number.
    pub(crate) fn confirm(&mut self, mut named: Vec<u64>, billable: u64) -> Result<()> {
        named.sort_unstable();
        for (row, expected) in named.iter().zip(self.rows + 1..) {
            ensure!(
                *row == expected,
                "the run is void: a response names row {row}, expected {expected}"
            );
        }
        let rows = self.rows + named.len() as u64;
        ensure!(
            billable == rows,
            "the run is void: responses name {rows} rows, and {billable} are billed"
        );
        self.rows = rows;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::ExpectedLedger;

    #[test]
    fn rows_are_confirmed_in_any_order() {
        let mut ledger = ExpectedLedger::with_rows(4);
        ledger.confirm(vec![7, 5, 6], 7).unwrap();
        assert_eq!(ledger, ExpectedLedger::with_rows(7));
    }

    #[test]
    fn unbilled_row_voids_the_run() {
        for (named, billable) in [
            (vec![5, 7], 6),
            (vec![5, 5], 6),
            (vec![5], 6),
            (vec![5, 6], 5),
        ] {
            let error = ExpectedLedger::with_rows(4)
                .confirm(named.clone(), billable)
                .unwrap_err()
                .to_string();
            assert!(error.starts_with("the run is void"), "{named:?}: {error}");
        }
    }
}
