//! Counters of the verdicts that checks lead to, so that an operator sees the share of flagged addresses.

use crate::verdict::{LayerKind, Status};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Verdict after a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CheckedVerdict {
    /// The status of the address in the context, after the check.
    pub status: Status,
    /// The layer of the check.
    pub layer: LayerKind,
}

/// Counts verdicts since the last call of [`drain`](Self::drain). Clones share one set of counters.
#[derive(Debug, Clone, Default)]
pub struct VerdictCounters(Arc<Mutex<BTreeMap<CheckedVerdict, u64>>>);

impl VerdictCounters {
    /// Counts a verdict.
    pub(super) fn record(&self, verdict: CheckedVerdict) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry(verdict).or_default() += 1;
    }

    /// Returns the counters and resets them.
    pub fn drain(&self) -> BTreeMap<CheckedVerdict, u64> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_counted_until_drained() {
        let counters = VerdictCounters::default();
        let flagged = CheckedVerdict {
            status: Status::Bot,
            layer: LayerKind::Owned,
        };
        let human = CheckedVerdict {
            status: Status::Human,
            ..flagged
        };
        counters.record(flagged);
        counters.clone().record(flagged);
        counters.record(human);
        assert_eq!(counters.drain(), BTreeMap::from([(human, 1), (flagged, 2)]));
        assert!(counters.drain().is_empty());
    }
}
