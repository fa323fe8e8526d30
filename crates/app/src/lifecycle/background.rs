//! What is done beside serving: checks that expired with evidence are judged, old evidence, old conclusions and old openings
//! are removed; of several nodes on one store, by the one whose turn it is. Nothing of it is done while the wall clock cannot be believed: what it took for old would be lost.

use super::housekeeping::JobSettings;
use actix_web::web;
use std::time::Duration;
use tokio::time::sleep;
use voight_domain::check::CHECK_LIFE;
use voight_domain::ports::StoreError;
use voight_domain::services::CheckError;
use voight_domain::{CheckId, Timestamp};
use voight_http::{AppState, Services};

/// How long a round waits for the next.
const PAUSE: Duration = Duration::from_secs(5);
/// Checks for each step of a round, so that lookups are never kept waiting.
const SLICE: usize = 50;
/// A window may complete its check until the challenge expires; the last batch may still be on its way then.
const GRACE: Duration = Duration::from_secs(30);

/// How long it is kept how a check was concluded: far longer than a challenge lives, so that a clock that is put right
/// makes none of them new again.
const CONCLUDED_LIFE: Duration = Duration::from_hours(24);

/// Goes round for as long as the service runs.
pub(super) async fn run(state: web::Data<AppState>, housekeeping: JobSettings) {
    loop {
        sleep(PAUSE).await;
        round(&state, &housekeeping).await;
    }
}

async fn round(state: &AppState, housekeeping: &JobSettings) {
    let services = &state.services;
    let now = services.clock.now();
    // In this order: a clock that jumps in between has not set `now`.
    if state.clock.doubt().is_some() {
        return;
    }
    let done = [
        checks(services, now).await,
        evict(services, now, housekeeping.retention).await,
        forget(services, now, housekeeping.opening_retention).await,
    ];
    for failure in done.into_iter().filter_map(Result::err) {
        tracing::warn!(error = %failure, "the work beside serving is put off");
    }
}

/// Judges what expired, and only then forgets how older checks were concluded: a check whose judging was cut short is
/// recognised by that, and counted once.
async fn checks(services: &Services, now: Timestamp) -> Result<(), StoreError> {
    slices(services, async || judge(services, now).await).await?;
    slices(services, async || services.store.sweep(now.minus(CONCLUDED_LIFE), SLICE).await).await
}

/// Does slice after slice, each of which says how many it has done, while there are more and it is this node's turn.
async fn slices(services: &Services, slice: impl AsyncFn() -> Result<usize, StoreError>) -> Result<(), StoreError> {
    while services.store.take_turn().await? && slice().await? == SLICE {}
    Ok(())
}

/// Judges checks that nobody completed: what they show may speak for a bot.
async fn judge(services: &Services, now: Timestamp) -> Result<usize, StoreError> {
    let checks = services.store.unsettled(now.minus(CHECK_LIFE + GRACE), SLICE).await?;
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
            // It will never be judged; settled, it stops standing in the way of others.
            tracing::warn!(%check, %error, "an expired check cannot be judged");
            services.store.settle(check).await
        }
    }
}

/// Removes evidence past the end that its context has set, or older than `retention`.
async fn evict(services: &Services, now: Timestamp, retention: Duration) -> Result<(), StoreError> {
    slices(services, async || services.store.evict(now, retention, SLICE).await).await
}

/// Removes openings of rows that are older than `retention`.
async fn forget(services: &Services, now: Timestamp, retention: Duration) -> Result<(), StoreError> {
    slices(services, async || services.store.forget_openings(now.minus(retention), SLICE).await).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::store_url::StoreUrl;
    use crate::testing::{ManualClock, one_row};
    use crate::wiring::wire;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use voight_domain::Environment;
    use voight_domain::secrets::Pepper;
    use voight_http::{HttpSettings, MonotonicClock};

    const YEAR: Duration = Duration::from_hours(24 * 365);

    #[test]
    fn what_is_old_by_a_clock_in_doubt_is_kept_until_the_clock_is_believed() {
        let (config, start) = (Config::default(), Timestamp::from_millis(1_795_255_200_000));
        let (clock, hours) = (ManualClock::at(start), Arc::new(AtomicU64::new(0)));
        let services = wire(&config, &StoreUrl::Memory, &Pepper::from_bytes([1; 32]), clock.clone()).unwrap();
        let passed = Arc::clone(&hours);
        let ticks = MonotonicClock::from_fn(move || Duration::from_hours(passed.load(Ordering::SeqCst)));
        let state = AppState::new(services, HttpSettings::default(), ticks);
        super::super::block_on(async {
            let client = one_row(&state.services).await.client;
            let opening = async || {
                round(&state, &JobSettings::of(&config, &StoreUrl::Memory)).await;
                let rows = state.services.store.rows(client, Environment::Live, 0, 1).await.unwrap();
                rows[0].opening
            };
            assert!(opening().await.is_some());
            clock.set(start.plus(YEAR));
            assert!(opening().await.is_some());
            hours.store(YEAR.as_secs() / 3600, Ordering::SeqCst);
            assert!(opening().await.is_none());
        });
    }
}
