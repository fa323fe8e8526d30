//! Background job: deletes records of the delivery logs of webhook endpoints past their retention.

use actix_web::web;
use std::time::Duration;
use tokio::time::sleep;
use voight_http::AppState;

/// Pause between two runs. A run reads every endpoint.
const RUN_INTERVAL: Duration = Duration::from_hours(1);

/// Runs the job once an hour for as long as the service runs, except while the clock is rejected.
pub(super) async fn run(state: web::Data<AppState>) {
    loop {
        sleep(RUN_INTERVAL).await;
        let now = state.clock.now();
        // The clock is read first: a clock that jumps after this check has not affected `now`.
        if state.clock.error().is_some() {
            continue;
        }
        if let Err(error) = state.services.maintenance.purge_deliveries(now).await {
            tracing::warn!(event = "delivery_purge_postponed", %error, "old records of delivery logs are deleted later");
        }
    }
}
