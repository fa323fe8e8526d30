//! `[evidence]`: retention and maximum size of raw evidence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Retention and maximum size of raw evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Evidence {
    /// Maximum retention; a context can have a shorter one.
    #[schemars(range(min = 1), extend("x-unit" = "days"))]
    pub(crate) retention_days: u16,
    /// Maximum size on disk. Above it, evidence of the network and context with the largest share is evicted first;
    /// without such a share, the oldest evidence.
    #[schemars(range(min = 1), extend("x-unit" = "MiB"))]
    pub(crate) max_size_mib: u64,
}

impl Default for Evidence {
    fn default() -> Self {
        Self {
            retention_days: 30,
            max_size_mib: 1_024,
        }
    }
}

impl Evidence {
    /// Returns the maximum size in bytes.
    pub(crate) const fn max_bytes(&self) -> u64 {
        self.max_size_mib.saturating_mul(1 << 20)
    }
}
