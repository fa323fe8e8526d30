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
    pub fn add(&mut self, written: WrittenOperations) {
        self.0.push(written);
    }

    /// Returns the number of acknowledged operations.
    pub fn acknowledged(&self) -> u64 {
        self.0.iter().flat_map(|written| &written.acknowledged).sum()
    }

    /// Opens the store offline, compares it, and verifies every record.
    ///
    /// # Errors
    ///
    /// A broken promise: an acknowledged operation is missing, an operation is stored twice or in part, or a record is
    /// corrupt.
    pub fn check(&self, subject: Backend, path: &Path) -> Result<CycleResult> {
        let store = subject.open(path).context("the store does not open")?;
        let tally = self.compare(store.as_ref())?;
        drop(store);
        let report = subject.verify(path).context("the store cannot be verified")?;
        let damage: Vec<_> = report.damage.iter().map(ToString::to_string).collect();
        ensure!(report.damaged == 0, "{} damaged records: {}", report.damaged, damage.join("; "));
        Ok(tally)
    }

    /// Compares with an open store.
    ///
    /// # Errors
    ///
    /// An acknowledged operation is missing.
    pub fn compare(&self, store: &dyn Store) -> Result<CycleResult> {
        let tally = self.tally(store)?;
        ensure!(tally.lost == 0, "{} acknowledged operations are gone: {:?}", tally.lost, tally.seen);
        Ok(tally)
    }

    /// Compares with an open store, and counts lost operations instead of failing.
    pub fn tally(&self, store: &dyn Store) -> Result<CycleResult> {
        let account = TestAccount::find_or_create(store)?;
        let found = StoredState::read(store, &account)?;
        let (mut tally, mut lookups) = (CycleResult::default(), 0);
        for written in &self.0 {
            for (thread, acknowledged) in written.acknowledged.iter().enumerate() {
                for number in 0..=*acknowledged {
                    let operation = Operation::derive(&account, written.seed, thread, number);
                    let stored = operation
                        .is_stored(store, &found)
                        .with_context(|| format!("operation {number} of thread {thread}, seed {}", written.seed))?;
                    lookups += u64::from(stored && operation.is_lookup());
                    match (number < *acknowledged, stored) {
                        (true, false) => tally.lost += 1,
                        (false, true) => tally.count("in flight and stored", 1),
                        _ => {}
                    }
                }
            }
        }
        ensure!(lookups == found.rows, "{} rows for {lookups} lookups", found.rows);
        Ok(tally)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a history with `made` operations, of which `acknowledged` are recorded as acknowledged.
    fn checked(made: u64, acknowledged: u64) -> Result<CycleResult> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("store");
        let store = Backend::Redb.open(&path)?;
        let account = TestAccount::find_or_create(store.as_ref())?;
        for number in 0..made {
            Operation::derive(&account, 5, 0, number).call(store.as_ref())?;
        }
        drop(store);
        let mut history = WriteHistory::default();
        history.add(WrittenOperations { seed: 5, acknowledged: vec![acknowledged] });
        history.check(Backend::Redb, &path)
    }

    #[test]
    fn what_was_acknowledged_has_to_be_there_and_the_next_may() {
        assert_eq!(checked(12, 12).unwrap(), CycleResult::default());
        assert_eq!(checked(12, 11).unwrap().seen["in flight and stored"], 1);
        let lost = checked(12, 13).unwrap_err().to_string();
        assert!(lost.contains("1 acknowledged operations are gone"), "{lost}");
    }

    #[test]
    fn a_row_that_nobody_asked_for_is_noticed() {
        let more = checked(12, 9).unwrap_err().to_string();
        assert!(more.contains("rows for"), "{more}");
    }
}
