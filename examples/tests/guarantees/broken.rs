//! Append log with one guarantee removed.

use std::env;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;
use voight_encoding::keyspace::Table;
use voight_engine::{
    Batch, Engine, EngineError, EntryVisitor, OpenError, Order, PersistentEngine, Read,
};
use voight_examples::engine_appendlog::AppendLog;

/// Environment variable with the name of the removed guarantee.
pub(crate) const VARIABLE: &str = "VOIGHT_EXAMPLE_WITHOUT";

/// Guarantee that an engine, or the store on it, lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MissingGuarantee {
    /// A batch is visible half-written.
    Atomicity,
    /// The last acknowledged batch is not on the disk.
    Durability,
    /// A range begins at its wrong end.
    Order,
    /// Removed keys remain.
    Removal,
    /// The responses of idempotency records are lost.
    Claims,
    /// Conclusions of checks are lost.
    Conclusions,
}

impl MissingGuarantee {
    pub(crate) const ALL: [Self; 6] = [
        Self::Atomicity,
        Self::Durability,
        Self::Order,
        Self::Removal,
        Self::Claims,
        Self::Conclusions,
    ];

    pub(crate) fn from_env() -> Option<Self> {
        let name = env::var(VARIABLE).ok()?;
        Self::ALL.into_iter().find(|without| without.name() == name)
    }

    pub(crate) fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// Append log without that guarantee.
pub(crate) struct BrokenEngine {
    log: AppendLog,
    path: PathBuf,
    without: Option<MissingGuarantee>,
    /// Length of the file before the last batch.
    before: Mutex<Option<u64>>,
}

impl BrokenEngine {
    /// Writes the batch in two halves, with a pause in which the first is visible.
    fn apply_in_halves(&self, batch: &Batch) -> Result<(), EngineError> {
        let half = batch.iter().count() / 2;
        for changes in [
            batch.iter().take(half).collect(),
            batch.iter().skip(half).collect(),
        ] {
            self.log.apply(&changes)?;
            thread::sleep(Duration::from_millis(2));
        }
        Ok(())
    }
}

/// Returns the batch without its changes of a table.
fn without(table: Table, batch: &Batch) -> Batch {
    batch
        .iter()
        .filter(|(key, _)| Table::of_key(key) != Some(table))
        .collect()
}

impl Engine for BrokenEngine {
    type Snapshot = View;

    fn name(&self) -> &'static str {
        self.log.name()
    }

    fn snapshot(&self) -> Result<View, EngineError> {
        Ok(View {
            snapshot: self.log.snapshot()?,
            without: self.without,
        })
    }

    fn apply(&self, batch: &Batch) -> Result<(), EngineError> {
        match self.without {
            Some(MissingGuarantee::Atomicity) => self.apply_in_halves(batch),
            Some(MissingGuarantee::Durability) => {
                let length = std::fs::metadata(&self.path)?.len();
                if let Ok(mut before) = self.before.lock() {
                    *before = Some(length);
                }
                self.log.apply(batch)
            }
            Some(MissingGuarantee::Removal) => self
                .log
                .apply(&batch.iter().filter(|(_, value)| value.is_some()).collect()),
            Some(MissingGuarantee::Claims) => {
                self.log.apply(&without(Table::IdempotencyRecord, batch))
            }
            Some(MissingGuarantee::Conclusions) => {
                self.log.apply(&without(Table::Concluded, batch))
            }
            Some(MissingGuarantee::Order) | None => self.log.apply(batch),
        }
    }

    fn recover(&self) -> Result<(), EngineError> {
        self.log.recover()
    }
}

impl PersistentEngine for BrokenEngine {
    fn is_missing(path: &Path) -> Result<bool, OpenError> {
        AppendLog::is_missing(path)
    }

    fn open_at(path: &Path, cache_bytes: usize) -> Result<Self, OpenError> {
        let log = AppendLog::open_at(path, cache_bytes)?;
        Ok(Self {
            log,
            path: path.to_owned(),
            without: MissingGuarantee::from_env(),
            before: Mutex::new(None),
        })
    }
}

impl Drop for BrokenEngine {
    /// Truncates the file as a power cut does whose last batch was not synced.
    fn drop(&mut self) {
        if let Some(length) = self.before.lock().ok().and_then(|before| *before) {
            let result = OpenOptions::new()
                .write(true)
                .open(&self.path)
                .and_then(|file| file.set_len(length));
            assert!(result.is_ok(), "the file cannot be cut: {result:?}");
        }
    }
}

pub(crate) struct View {
    snapshot: <AppendLog as Engine>::Snapshot,
    without: Option<MissingGuarantee>,
}

impl Read for View {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        self.snapshot.get(key, visit)
    }

    fn range(
        &self,
        from: &[u8],
        to: &[u8],
        order: Order,
        visit: &mut EntryVisitor<'_>,
    ) -> Result<(), EngineError> {
        let order = match (self.without, order) {
            (Some(MissingGuarantee::Order), Order::Ascending) => Order::Descending,
            (_, order) => order,
        };
        self.snapshot.range(from, to, order, visit)
    }
}
