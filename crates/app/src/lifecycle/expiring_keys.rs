//! Background job: counts the keys that expire soon, for the metrics.

use actix_web::web;
use std::time::Duration;
use tokio::time::sleep;
use voight_domain::registry::KEY_EXPIRY_NOTICE;
use voight_http::AppState;

/// Pause between two counts. A count reads every key.
const COUNT_INTERVAL: Duration = Duration::from_hours(1);

/// Counts at the start and once an hour for as long as the service runs.
pub(super) async fn run(state: web::Data<AppState>) {
    loop {
        count(&state).await;
        sleep(COUNT_INTERVAL).await;
    }
}

async fn count(state: &AppState) {
    match state
        .services
        .registry
        .count_expiring_keys(KEY_EXPIRY_NOTICE)
        .await
    {
        Ok(keys) => state.metrics.set_expiring_keys(keys),
        Err(error) => tracing::warn!(%error, "the keys that expire soon cannot be counted now"),
    }
}
