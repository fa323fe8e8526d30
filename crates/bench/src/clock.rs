//! The time that passes.

use std::time::{Duration, Instant};

/// Time since a moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    /// Begins now.
    #[expect(clippy::disallowed_methods, reason = "how long something takes is what this program is for")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// How much has passed.
    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}
