//! `[store]`: location and resources of the store.

use super::diagnostic::Diagnostic;
use crate::local_store::parse_url;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// Configuration key of the store URL.
pub(crate) const STORE_URL: &str = "store.url";

/// Location and resources of the store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Store {
    /// Store URL: `redb:PATH`, `sled:PATH`, `postgres://USER@HOST/DATABASE` or `memory:`. If empty, the store that the data
    /// directory used last; at first `voight.redb` in it.
    #[schemars(extend("x-flag" = "--store"))]
    pub(crate) url: String,
    /// Directory of the secrets, the admin token and, by default, the store.
    #[schemars(length(min = 1), extend("x-flag" = "--data-dir"))]
    pub(crate) data_dir: String,
    /// Size of the cache of an embedded store.
    #[schemars(range(min = 1), extend("x-unit" = "MiB"))]
    pub(crate) cache_mib: u64,
    /// Free space on disk that is reserved for the ledger: evidence and uploads are rejected, and the service is unready, before
    /// lookups are rejected.
    #[schemars(extend("x-unit" = "MiB"))]
    pub(crate) reserved_free_mib: u64,
    /// Rate at which the scrubber verifies records; 0 disables it.
    #[schemars(extend("x-unit" = "records per second"))]
    pub(crate) scrub_records_per_second: u32,
}

impl Default for Store {
    fn default() -> Self {
        Self {
            url: String::new(),
            data_dir: "./voight-data".into(),
            cache_mib: 128,
            reserved_free_mib: 64,
            scrub_records_per_second: 1_000,
        }
    }
}

/// Returns the URL of a store for display, without the password of a database.
pub(super) fn shown_url(text: String) -> String {
    parse_url(&text).unwrap_or(text)
}

impl Store {
    /// Returns these settings with the URL of the store in use.
    pub(crate) fn with_url(&self, url: &impl Display) -> Self {
        Self {
            url: url.to_string(),
            ..self.clone()
        }
    }

    /// Returns the reserved free space in bytes.
    pub(crate) const fn reserved_free_bytes(&self) -> u64 {
        self.reserved_free_mib.saturating_mul(1 << 20)
    }

    pub(super) fn contradictions(&self) -> Vec<Diagnostic> {
        let mut wrong = Vec::new();
        if !self.url.is_empty() {
            let error = parse_url(&self.url).err();
            wrong.extend(
                error.map(|error| Diagnostic::new(STORE_URL, format!("store.url: {error}"))),
            );
        }
        if self.data_dir.is_empty() {
            let sentence = "store.data_dir is empty; give a directory, for example ./voight-data";
            wrong.push(Diagnostic::new("store.data_dir", sentence));
        }
        wrong
    }
}
