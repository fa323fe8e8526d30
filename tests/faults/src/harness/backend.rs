//! Backend on which a scenario runs.

use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use voight_contract::generate::START;
use voight_domain::ports::{Clock, Store};
use voight_domain::secrets::PepperCommitment;
use voight_embedded::{
    DumpReader, DumpSummary, OfflineStore, StoreOptions, VerifyReport, dump_store, open, restore,
    verify,
};
use voight_engine::{Order, PersistentEngine, Read};
use voight_redb::WalRedb;
use voight_sled::SledEngine;
use voight_support::{FixedEntropy, ManualClock};

/// Page cache of a store, in bytes.
const CACHE: usize = 8 << 20;
/// Pepper commitment of stores that no server created.
const PEPPER: PepperCommitment = PepperCommitment([7; 16]);

/// Embedded store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// Default store.
    Redb,
    /// Alternative store.
    Sled,
}

/// Evaluates an expression with the engine of a backend.
macro_rules! with_engine {
    ($backend:expr, |$engine:ident| $body:expr) => {
        match $backend {
            Backend::Redb => {
                type $engine = WalRedb;
                $body
            }
            Backend::Sled => {
                type $engine = SledEngine;
                $body
            }
        }
    };
}

impl Backend {
    /// All backends.
    pub const ALL: &'static [Self] = &[Self::Redb, Self::Sled];

    /// Returns the name, as in the URL of a store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Redb => "redb",
            Self::Sled => "sled",
        }
    }

    /// Opens or creates the store at `path`. Its clock is fixed, so that all contents are derived from seeds.
    pub fn open(self, path: &Path) -> Result<Arc<dyn Store>> {
        self.open_with(path, Arc::new(ManualClock::new(START)), 1 << 30)
    }

    /// Opens or creates the store at `path` with this clock and evidence budget in bytes.
    pub fn open_with(
        self,
        path: &Path,
        clock: Arc<dyn Clock>,
        evidence_max_bytes: u64,
    ) -> Result<Arc<dyn Store>> {
        let options = StoreOptions {
            path: path.to_owned(),
            cache_bytes: CACHE,
            evidence_max_bytes,
            reserved_free_bytes: 0,
        };
        self.open_store(&options, clock, PEPPER)
    }

    /// Opens the store that a stopped server with this pepper left at `path`.
    pub fn open_after_server(
        self,
        path: &Path,
        pepper: PepperCommitment,
    ) -> Result<Arc<dyn Store>> {
        let options = StoreOptions {
            path: path.to_owned(),
            cache_bytes: CACHE,
            evidence_max_bytes: 1 << 30,
            reserved_free_bytes: 0,
        };
        self.open_store(&options, Arc::new(ManualClock::new(START)), pepper)
    }

    fn open_store(
        self,
        options: &StoreOptions,
        clock: Arc<dyn Clock>,
        pepper: PepperCommitment,
    ) -> Result<Arc<dyn Store>> {
        with_engine!(self, |Engine| Ok(open::<Engine>(
            options,
            clock,
            &FixedEntropy(1),
            pepper
        )?))
    }

    /// Verifies every record of the store at `path` offline.
    pub fn verify(self, path: &Path) -> Result<VerifyReport> {
        with_engine!(self, |Engine| Ok(verify::<Engine>(path, &mut |_| {})?.1))
    }

    /// Returns every entry of both databases of the store at `path`, offline.
    pub fn entries(self, path: &Path) -> Result<Vec<(Vec<u8>, Vec<u8>)>> {
        with_engine!(self, |Engine| entries::<Engine>(path))
    }

    /// Returns the dump of the store at `path`, offline.
    pub fn dump(self, path: &Path) -> Result<(Vec<u8>, DumpSummary)> {
        let mut bytes = Vec::new();
        let (_, summary) = with_engine!(self, |Engine| dump_store::<Engine>(path, &mut bytes))?;
        Ok((bytes, summary))
    }

    /// Builds the store at `path` from a dump. Returns the summaries of the dump and of the records that were read back.
    pub fn restore(self, dump: &[u8], path: &Path) -> Result<(DumpSummary, DumpSummary)> {
        let mut dump = DumpReader::open(dump)?;
        Ok(with_engine!(self, |Engine| restore::<Engine>(
            &mut dump,
            path,
            &mut |_| {}
        ))?)
    }

    /// Returns the maximum time to open a store of a million rows after a kill, in milliseconds.
    ///
    /// On two cores redb took at most 25 ms, and sled, which reads its log again, 15.6 seconds.
    pub const fn max_reopen_ms(self) -> u64 {
        match self {
            Self::Redb => 5_000,
            Self::Sled => 60_000,
        }
    }
}

fn entries<E: PersistentEngine>(path: &Path) -> Result<Vec<(Vec<u8>, Vec<u8>)>> {
    let store = OfflineStore::<E>::open_read_only(path)?;
    let mut entries = Vec::new();
    for engine in std::iter::once(&store.main).chain(&store.evidence) {
        engine
            .snapshot()?
            .range(&[], &[u8::MAX; 2], Order::Ascending, &mut |key, value| {
                entries.push((key.to_vec(), value.to_vec()));
                ControlFlow::Continue(())
            })?;
    }
    Ok(entries)
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Backend {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let backend = Self::ALL.iter().find(|backend| backend.as_str() == text);
        backend.copied().ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|backend| backend.as_str()).collect();
            format!(
                "unknown backend {text:?}; the backends are: {}",
                names.join(", ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Backend;
    use voight_tests::engines::ENGINES;

    #[test]
    fn every_engine_is_a_backend() {
        let backends = Backend::ALL.iter().map(|backend| backend.as_str());
        let schemes = ENGINES.iter().map(|engine| engine.scheme);
        assert!(backends.eq(schemes));
    }
}
