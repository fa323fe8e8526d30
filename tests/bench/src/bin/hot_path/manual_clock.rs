//! Deterministic clocks and random bytes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use voight_domain::ports::{Clock, Entropy};
use voight_domain::vocabulary::Timestamp;

/// 1 November 2026, so that no period ends during the measurement.
const START: Timestamp = Timestamp::from_millis(1_793_491_200_000);

/// Clocks that are advanced explicitly and start at [`START`].
#[derive(Default)]
pub(crate) struct ManualClock {
    milliseconds: AtomicU64,
}

impl ManualClock {
    pub(crate) fn advance(&self, span: Duration) {
        self.milliseconds.fetch_add(u64::try_from(span.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    pub(crate) fn elapsed(&self) -> Duration {
        Duration::from_millis(self.milliseconds.load(Ordering::Relaxed))
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        START.saturating_add(self.elapsed())
    }
}

/// Entropy source whose bytes differ at every call, and are equal in every run.
#[derive(Default)]
pub(crate) struct Counter(AtomicU64);

impl Entropy for Counter {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let mixed = (self.0.fetch_add(1, Ordering::Relaxed) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            chunk.iter_mut().zip(mixed.to_be_bytes()).for_each(|(byte, drawn)| *byte = drawn);
        }
    }
}
