//! `[evidence]`: how long and how much raw evidence is kept.

use super::remark::Diagnostic;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How long and how much raw evidence is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Evidence {
    /// Days for which it is kept at most; a context may keep its own for a shorter time.
    pub(crate) retention_days: u16,
    /// Disk for it, in MiB. Beyond that, evidence of the network and context with the largest share goes first; the oldest, where
    /// none stands out.
    pub(crate) budget_mib: u64,
}

impl Default for Evidence {
    fn default() -> Self {
        Self { retention_days: 30, budget_mib: 1_024 }
    }
}

impl Evidence {
    /// How long evidence is kept.
    pub(crate) fn retention(&self) -> Duration {
        Duration::from_hours(24 * u64::from(self.retention_days))
    }

    /// The budget in bytes.
    pub(crate) const fn budget_bytes(&self) -> u64 {
        self.budget_mib.saturating_mul(1 << 20)
    }

    pub(super) fn contradictions(&self) -> Vec<Diagnostic> {
        let least = [("retention_days", u64::from(self.retention_days)), ("budget_mib", self.budget_mib)];
        let nothing = least.into_iter().filter(|(_, value)| *value == 0).map(|(key, _)| format!("evidence.{key}"));
        nothing
            .map(|key| {
                let sentence = format!("{key} is 0, so that no check could be judged; give at least 1");
                Diagnostic::new(key, sentence)
            })
            .collect()
    }
}
