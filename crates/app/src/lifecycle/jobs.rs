//! Background jobs: evaluate expired checks; delete old evidence, conclusions and openings.
//!
//! Of several nodes on one store, only the leader runs them. No job runs while the clock is rejected, because a wrong clock
//! would delete data that is not old.

use super::job_settings::JobSettings;
use actix_web::web;
use std::time::Duration;
use tokio::time::sleep;
use voight_domain::check::CHECK_TTL;
use voight_domain::ports::StoreError;
use voight_domain::services::CheckError;
use voight_domain::{CheckId, Timestamp};
use voight_http::{AppState, Services};

/// Pause between two runs of the jobs.
const JOB_INTERVAL: Duration = Duration::from_secs(5);
/// Number of checks per batch, small enough not to delay lookups.
const BATCH_SIZE: usize = 50;
/// Time after the expiry of a challenge in which the last batch of its check may still arrive.
const COMPLETION_GRACE: Duration = Duration::from_secs(30);

/// Retention of conclusions. It is far longer than the lifetime of a challenge, so that a clock correction makes no concluded
/// check valid again.
const CONCLUSION_TTL: Duration = Duration::from_hours(24);

/// Runs the jobs periodically for as long as the service runs.
pub(super) async fn run(state: web::Data<AppState>, job_settings: JobSettings) {
    loop {
        sleep(JOB_INTERVAL).await;
        run_jobs(&state, &job_settings).await;
    }
}

async fn run_jobs(state: &AppState, job_settings: &JobSettings) {
    let services = &state.services;
    let now = services.clock.now();
    // The clock is read first: a clock that jumps after this check has not affected `now`.
    if state.clock.error().is_some() {
        return;
    }
    let done = [
        judge_expired_checks(services, now).await,
        evict_evidence(services, now, job_settings.evidence_retention).await,
        delete_old_openings(services, now, job_settings.address_retention).await,
    ];
    for failure in done.into_iter().filter_map(Result::err) {
        tracing::warn!(error = %failure, "background jobs are postponed");
    }
}

/// Evaluates expired checks, then deletes old conclusions. In this order, because the conclusion of a check whose evaluation
/// was interrupted prevents that it is counted twice.
async fn judge_expired_checks(services: &Services, now: Timestamp) -> Result<(), StoreError> {
    run_in_batches(services, async || judge_batch(services, now).await).await?;
    run_in_batches(services, async || services.store.sweep(now.saturating_sub(CONCLUSION_TTL), BATCH_SIZE).await).await
}

/// Runs `slice` while it returns full batches and this node holds the leader lease. `slice` returns the number of processed
/// records.
async fn run_in_batches(
    services: &Services,
    slice: impl AsyncFn() -> Result<usize, StoreError>,
) -> Result<(), StoreError> {
    while services.store.try_acquire_lease().await? && slice().await? == BATCH_SIZE {}
    Ok(())
}

/// Evaluates expired checks that were not completed: their evidence may indicate a bot.
async fn judge_batch(services: &Services, now: Timestamp) -> Result<usize, StoreError> {
    let checks = services.store.unjudged_checks(now.saturating_sub(CHECK_TTL + COMPLETION_GRACE), BATCH_SIZE).await?;
    for check in &checks {
        judge_one(services, *check).await?;
    }
    Ok(checks.len())
}

async fn judge_one(services: &Services, check: CheckId) -> Result<(), StoreError> {
    match services.checks.judge_expired(check).await {
        Ok(()) => Ok(()),
        Err(CheckError::Store(error)) => Err(error),
        Err(error) => {
            // The check can never be evaluated; it is marked as evaluated so that it does not block others.
            tracing::warn!(%check, %error, "an expired check cannot be evaluated");
            services.store.mark_judged(check).await
        }
    }
}

/// Deletes evidence past the retention of its context, or older than `retention`.
async fn evict_evidence(services: &Services, now: Timestamp, retention: Duration) -> Result<(), StoreError> {
    run_in_batches(services, async || services.store.evict(now, retention, BATCH_SIZE).await).await
}

/// Deletes openings of rows that are older than `retention`.
async fn delete_old_openings(services: &Services, now: Timestamp, retention: Duration) -> Result<(), StoreError> {
    run_in_batches(services, async || services.store.forget_openings(now.saturating_sub(retention), BATCH_SIZE).await)
        .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::store_url::StoreUrl;
    use crate::testing::one_row;
    use crate::wiring::wire;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use voight_domain::Environment;
    use voight_domain::secrets::Pepper;
    use voight_http::{HttpSettings, MonotonicClock};
    use voight_support::ManualClock;

    const YEAR: Duration = Duration::from_hours(24 * 365);

    #[test]
    fn nothing_is_deleted_while_the_clock_is_untrusted() {
        let (config, start) = (Config::default(), Timestamp::from_millis(1_795_255_200_000));
        let (clock, hours) = (Arc::new(ManualClock::new(start)), Arc::new(AtomicU64::new(0)));
        let services = wire(&config, &StoreUrl::Memory, &Pepper::from_bytes([1; 32]), clock.clone()).unwrap();
        let passed = Arc::clone(&hours);
        let ticks = MonotonicClock::from_fn(move || Duration::from_hours(passed.load(Ordering::SeqCst)));
        let state = AppState::new(services, HttpSettings::default(), ticks);
        super::super::block_on(async {
            let client = one_row(&state.services).await.client;
            let opening = async || {
                run_jobs(&state, &JobSettings::from_config(&config, &StoreUrl::Memory)).await;
                let rows = state.services.store.rows(client, Environment::Live, 0, 1).await.unwrap();
                rows[0].opening
            };
            assert!(opening().await.is_some());
            clock.set(start.saturating_add(YEAR));
            assert!(opening().await.is_some());
            hours.store(YEAR.as_secs() / 3600, Ordering::SeqCst);
            assert!(opening().await.is_none());
        });
    }
}
