//! Background job: counts the keys that expire soon, for the metrics, and reports them to their clients.

use actix_web::web;
use std::time::Duration;
use tokio::time::sleep;
use voight_domain::registry::Key;
use voight_http::AppState;

/// Pause between two runs. A run reads every key.
const RUN_INTERVAL: Duration = Duration::from_hours(1);

/// Runs the job at the start and once an hour for as long as the service runs.
pub(super) async fn run(state: web::Data<AppState>) {
    loop {
        run_once(&state).await;
        sleep(RUN_INTERVAL).await;
    }
}

async fn run_once(state: &AppState) {
    match state.services.registry.expiring_keys().await {
        Ok(keys) => {
            state.metrics.set_expiring_keys(keys.len() as u64);
            report(state, &keys).await;
        }
        Err(error) => tracing::warn!(
            event = "expiring_keys_not_counted",
            %error,
            "the keys that expire soon cannot be counted now"
        ),
    }
}

/// Reports these keys to their clients, unless the clock is rejected.
async fn report(state: &AppState, keys: &[Key]) {
    let now = state.clock.now();
    // The clock is read first: a clock that jumps after this check has not affected `now`.
    if state.clock.error().is_some() {
        return;
    }
    let maintenance = &state.services.maintenance;
    if let Err(error) = maintenance.report_expiring_keys(keys, now).await {
        tracing::warn!(event = "expiring_keys_postponed", %error, "keys that expire soon are reported later");
    }
}
