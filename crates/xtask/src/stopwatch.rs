//! Durations, and the date of a result.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;

/// Runs `work` and measures its duration.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    #[expect(clippy::disallowed_methods, reason = "durations are only reported")]
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// Returns the current time in whole seconds.
#[expect(clippy::disallowed_methods, reason = "a result contains its date")]
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).ok().and_then(|seconds| Timestamp::from_second(seconds).ok()).unwrap_or_default()
}
