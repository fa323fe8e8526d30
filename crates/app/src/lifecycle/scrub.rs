//! Scrubber: verifies all records at a bounded rate while the service runs.

use crate::os::Monotonic;
use actix_web::web;
use std::time::Duration;
use tokio::time::sleep;
use voight_domain::ports::{ScrubProgress, StoreError};
use voight_http::AppState;

/// Batches per second, unless a batch would exceed [`MAX_BATCH`].
const BATCHES_PER_SECOND: u32 = 10;
/// Maximum number of records in a batch, which is one read of the store.
const MAX_BATCH: u32 = 1000;
/// Minimum ratio of the pause to the duration of the batch before it, which protects a slow disk.
const BACKOFF_FACTOR: u32 = 4;
/// Pause between two passes.
const PASS_INTERVAL: Duration = Duration::from_mins(10);
/// Pause after a batch that could not be read.
///
/// For example, the database is reopened after a full disk.
const RETRY_DELAY: Duration = Duration::from_secs(5);

/// Scrubs for as long as the service runs. Returns if the engine has nothing to scrub, or the store is corrupt.
pub(super) async fn run(state: web::Data<AppState>, records_per_second: u32) {
    let Some(pace) = ScrubRate::per_second(records_per_second) else {
        return;
    };
    loop {
        let store = state.services.maintenance.clone();
        let began = Monotonic::start();
        let scrub_result = web::block(move || store.scrub(pace.records)).await;
        let pause = match scrub_result {
            Ok(Ok(Some(progress))) => {
                state.metrics.record_scrub(&progress);
                log_progress(&progress);
                if progress.finished.is_some() {
                    PASS_INTERVAL
                } else {
                    pace.pause(began.elapsed())
                }
            }
            Ok(Err(error @ (StoreError::Corrupt(_) | StoreError::Fatal(_)))) => {
                tracing::error!(event = "scrubber_stopped", %error, "the scrubber has stopped: the store cannot be read");
                return;
            }
            Ok(Err(error)) => {
                tracing::warn!(event = "scrubber_paused", %error, "the scrubber is paused");
                RETRY_DELAY
            }
            Ok(Ok(None)) | Err(_) => return,
        };
        sleep(pause).await;
    }
}

fn log_progress(progress: &ScrubProgress) {
    for damage in &progress.damage {
        tracing::error!(event = "corrupt_record_found", %damage, "a stored record is corrupt");
    }
    if let Some(why) = &progress.persist_error {
        tracing::warn!(
            event = "scrub_result_lost",
            %why,
            "the result of the scrub pass could not be stored and is lost at a restart"
        );
    }
    if let Some(round) = progress
        .finished
        .as_ref()
        .filter(|round| round.damaged == 0)
    {
        tracing::info!(
            event = "scrub_pass_completed",
            records = progress.verified_in_pass,
            at = %round.finished_at,
            "scrub pass completed: every record is valid"
        );
    }
}

/// Batch size, and the pause between batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ScrubRate {
    records: usize,
    pause: Duration,
}

impl ScrubRate {
    /// Returns the rate for at most `records_per_second` records per second; `None` for 0.
    fn per_second(records_per_second: u32) -> Option<Self> {
        let records = (records_per_second / BATCHES_PER_SECOND).clamp(1, MAX_BATCH);
        let pause = Duration::from_secs(records.into()).checked_div(records_per_second)?;
        Some(Self {
            records: usize::try_from(records).ok()?,
            pause,
        })
    }

    /// Returns the pause after a batch that took `batch_time`.
    fn pause(self, batch_time: Duration) -> Duration {
        self.pause.max(batch_time.saturating_mul(BACKOFF_FACTOR))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_keeps_to_the_rate_and_makes_way_on_a_slow_disk() {
        assert_eq!(ScrubRate::per_second(0), None);
        for rate in [1, 9, 10, 25, 1_000, 10_000, 1_000_000] {
            let pace = ScrubRate::per_second(rate).unwrap();
            let off = (pace.pause * rate).abs_diff(Duration::from_secs(pace.records as u64));
            assert!(off < Duration::from_millis(10), "{rate}: {pace:?}");
            assert!((1..=1000).contains(&pace.records) && pace.pause <= Duration::from_secs(1));
        }
        let pace = ScrubRate::per_second(1_000).unwrap();
        assert_eq!(
            pace.pause(Duration::from_millis(20)),
            Duration::from_millis(100)
        );
        assert_eq!(
            pace.pause(Duration::from_millis(30)),
            Duration::from_millis(120)
        );
    }
}
