//! `[store]`: where state is kept.

use serde::{Deserialize, Serialize};

/// Where state is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Store {
    /// The store: `redb:PATH` or `memory:`. Empty means the one that the data directory used last, at first `voight.redb` in it.
    pub(crate) url: String,
    /// Secrets, the admin token and, unless told otherwise, the store.
    pub(crate) data_dir: String,
    /// Memory for the store's cache, in MiB.
    pub(crate) cache_mib: u64,
}

impl Default for Store {
    fn default() -> Self {
        Self { url: String::new(), data_dir: "./voight-data".into(), cache_mib: 128 }
    }
}
