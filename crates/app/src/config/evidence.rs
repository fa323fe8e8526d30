//! `[evidence]`: retention and maximum size of raw evidence.

use super::remark::Diagnostic;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Retention and maximum size of raw evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Evidence {
    /// Maximum retention in days; a context can have a shorter one.
    pub(crate) retention_days: u16,
    /// Maximum size on disk, in MiB. Above it, evidence of the network and context with the largest share is evicted first;
    /// without such a share, the oldest evidence.
    pub(crate) max_size_mib: u64,
}

impl Default for Evidence {
    fn default() -> Self {
        Self { retention_days: 30, max_size_mib: 1_024 }
    }
}

impl Evidence {
    /// Returns the retention of evidence.
    pub(crate) fn retention(&self) -> Duration {
        Duration::from_hours(24 * u64::from(self.retention_days))
    }

    /// Returns the maximum size in bytes.
    pub(crate) const fn max_bytes(&self) -> u64 {
        self.max_size_mib.saturating_mul(1 << 20)
    }

    pub(super) fn contradictions(&self) -> Vec<Diagnostic> {
        let least = [("retention_days", u64::from(self.retention_days)), ("max_size_mib", self.max_size_mib)];
        let nothing = least.into_iter().filter(|(_, value)| *value == 0).map(|(key, _)| format!("evidence.{key}"));
        nothing
            .map(|key| {
                let sentence = format!("{key} is 0, so that no check could be judged; give at least 1");
                Diagnostic::new(key, sentence)
            })
            .collect()
    }
}
