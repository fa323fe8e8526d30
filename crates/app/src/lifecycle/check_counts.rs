//! Background job: stores the counts of checks every ten seconds.

use actix_web::web;
use std::time::Duration;
use tokio::time::sleep;
use voight_domain::services::CheckCountService;
use voight_http::AppState;

/// Interval between two writes. A crash loses the counts since the last one.
const INTERVAL: Duration = Duration::from_secs(10);

/// Stores counts for as long as the service runs.
pub(super) async fn run(state: web::Data<AppState>) {
    loop {
        sleep(INTERVAL).await;
        store(&state.services.check_counts).await;
    }
}

/// Stores the counts since the last call. Counts that cannot be stored are retried at the next call.
pub(super) async fn store(check_counts: &CheckCountService) {
    if let Err(error) = check_counts.store_counts().await {
        tracing::warn!(event = "check_counts_not_stored", %error, "counts of checks cannot be stored now");
    }
}
