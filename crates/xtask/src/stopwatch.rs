//! Durations, and the date of a result.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Error, Result};
use jiff::Timestamp;

/// Runs `work` and measures its duration.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    #[expect(clippy::disallowed_methods, reason = "durations are only reported")]
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// Returns the current time in whole seconds.
///
/// # Errors
///
/// The clock is before 1970.
#[expect(clippy::disallowed_methods, reason = "a result contains its date")]
pub(crate) fn now() -> Result<Timestamp> {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .context("the clock is before 1970")?;
    Timestamp::from_second(i64::try_from(since.as_secs())?).map_err(Error::msg)
}
