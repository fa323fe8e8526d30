//! Logs when the clock guard rejects the wall clock and when it accepts it again. Requests consult the clock guard themselves.

use actix_web::web;
use std::time::Duration;
use tokio::time::sleep;
use voight_domain::clock_guard::ClockError;
use voight_http::AppState;

/// Polling interval.
const PAUSE: Duration = Duration::from_secs(1);

/// Polls the clock guard for as long as the service runs.
pub(super) async fn run(state: web::Data<AppState>) {
    let mut in_doubt = false;
    loop {
        let doubt = state.clock.error();
        log_change(in_doubt, doubt.as_ref());
        if in_doubt && doubt.is_none() {
            refresh_recorded_time(&state).await;
        }
        in_doubt = doubt.is_some();
        sleep(PAUSE).await;
    }
}

fn log_change(was_in_doubt: bool, doubt: Option<&ClockError>) {
    match doubt {
        Some(doubt) if !was_in_doubt => tracing::error!(
            event = "clock_rejected",
            %doubt,
            "the wall clock is rejected: the service is not ready until the clock is corrected or acknowledged with `voight doctor --acknowledge-clock`"
        ),
        None if was_in_doubt => {
            tracing::info!(
                event = "clock_accepted",
                "the wall clock is accepted again; no lookup was answered meanwhile"
            );
        }
        _ => {}
    }
}

/// Re-reads the last recorded time: a row that was written during the jump may have the wrong date.
async fn refresh_recorded_time(state: &AppState) {
    if let Err(error) = state.refresh_recorded_time().await {
        tracing::warn!(event = "recorded_time_not_read", %error, "the date of the newest ledger row cannot be read");
    }
}
