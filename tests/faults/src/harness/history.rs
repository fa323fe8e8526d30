//! Log of acknowledged operations, kept outside of the store, and its comparison with the store.

use super::{Backend, Operation, StoredState, TestAccount};
use crate::scenario::CycleResult;
use anyhow::{Context, Result, ensure};
use std::path::Path;
use voight_domain::ports::Store;

/// Operations of one process: each thread writes them sequentially.
#[derive(Debug, Clone)]
pub struct WrittenOperations {
    /// Seed of the operations.
    pub seed: u64,
    /// Number of acknowledged operations of each thread. The operation after them may be stored or not.
    pub acknowledged: Vec<u64>,
}

/// Operations of successive processes on one store.
#[derive(Debug, Clone, Default)]
pub struct WriteHistory(Vec<WrittenOperations>);

impl WriteHistory {
    /// Adds the operations of the next process.
    pub fn add(&mut self, operations: WrittenOperations) {
        self.0.push(operations);
    }

    /// Returns the number of acknowledged operations.
    pub fn acknowledged(&self) -> u64 {
        self.0
            .iter()
            .flat_map(|operations| &operations.acknowledged)
            .sum()
    }

    /// Opens the store offline, compares it with the history, and verifies every record.
    ///
    /// # Errors
    ///
    /// A broken promise: an acknowledged operation is missing, an operation is stored twice or in part, or a record is
    /// corrupt.
    pub fn check(&self, backend: Backend, path: &Path) -> Result<CycleResult> {
        let store = backend.open(path).context("the store does not open")?;
        let result = self.compare(store.as_ref())?;
        drop(store);
        let report = backend
            .verify(path)
            .context("the store cannot be verified")?;
        let damage: Vec<_> = report.damage.iter().map(ToString::to_string).collect();
        ensure!(
            report.damaged == 0,
            "{} damaged records: {}",
            report.damaged,
            damage.join("; ")
        );
        Ok(result)
    }

    /// Compares the history with an open store.
    ///
    /// # Errors
    ///
    /// An acknowledged operation is missing.
    pub fn compare(&self, store: &dyn Store) -> Result<CycleResult> {
        let result = self.count_losses(store)?;
        ensure!(
            result.lost == 0,
            "{} acknowledged operations are lost: {:?}",
            result.lost,
            result.counters
        );
        Ok(result)
    }

    /// Compares the history with an open store, and counts lost operations instead of failing.
    pub fn count_losses(&self, store: &dyn Store) -> Result<CycleResult> {
        let account = TestAccount::find_or_create(store)?;
        let state = StoredState::read(store, &account)?;
        let mut result = CycleResult::default();
        let mut lookups = 0;
        for written in &self.0 {
            for (thread, acknowledged) in written.acknowledged.iter().enumerate() {
                for number in 0..=*acknowledged {
                    let operation = Operation::derive(&account, written.seed, thread, number);
                    let is_stored = operation.is_stored(store, &state).with_context(|| {
                        format!(
                            "operation {number} of thread {thread}, seed {}",
                            written.seed
                        )
                    })?;
                    lookups += if is_stored { operation.rows() } else { 0 };
                    match (number < *acknowledged, is_stored) {
                        (true, false) => result.lost += 1,
                        (false, true) => result.count("in flight and stored", 1),
                        _ => {}
                    }
                }
            }
        }
        ensure!(
            lookups == state.rows,
            "{} rows for {lookups} lookups",
            state.rows
        );
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a history of `called` operations, of which `acknowledged` are recorded as acknowledged.
    fn checked(called: u64, acknowledged: u64) -> Result<CycleResult> {
        let dir = tempfile::tempdir()?;
        let path = dir.path().join("store");
        let store = Backend::Redb.open(&path)?;
        let account = TestAccount::find_or_create(store.as_ref())?;
        for number in 0..called {
            Operation::derive(&account, 5, 0, number).call(store.as_ref())?;
        }
        drop(store);
        let mut history = WriteHistory::default();
        history.add(WrittenOperations {
            seed: 5,
            acknowledged: vec![acknowledged],
        });
        history.check(Backend::Redb, &path)
    }

    #[test]
    fn lost_acknowledged_operation_is_an_error() {
        assert_eq!(checked(12, 12).unwrap(), CycleResult::default());
        assert_eq!(checked(12, 11).unwrap().counters["in flight and stored"], 1);
        let error = checked(12, 13).unwrap_err().to_string();
        assert!(
            error.contains("1 acknowledged operations are lost"),
            "{error}"
        );
    }

    #[test]
    fn foreign_ledger_row_is_an_error() {
        let message = checked(12, 9).unwrap_err().to_string();
        assert!(message.contains("rows for"), "{message}");
    }
}
