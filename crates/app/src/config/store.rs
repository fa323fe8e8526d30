//! `[store]`: where state is kept.

use crate::store_url::StoreUrl;
use serde::{Deserialize, Serialize};

/// Where state is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Store {
    /// The store: `redb:PATH`, `sled:PATH` or `memory:`. Empty means the one that the data directory used last, at first `voight.redb` in it.
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

impl Store {
    pub(super) fn contradictions(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        if !self.url.is_empty() {
            wrong.extend(self.url.parse::<StoreUrl>().err().map(|error| format!("store.url: {error}")));
        }
        if self.data_dir.is_empty() {
            wrong.push("store.data_dir is empty; give a directory, for example ./voight-data".into());
        }
        if self.cache_mib == 0 {
            wrong.push("store.cache_mib is 0, so that nothing could be read; give at least 1".into());
        }
        wrong
    }
}
