//! Background jobs: evaluate expired checks; delete old evidence, conclusions and openings.
//!
//! Of several nodes on one store, only the leader runs them. No job runs while the clock is rejected, because a wrong clock
//! would delete data that is not old.

use actix_web::web;
use std::time::Duration;
use tokio::time::sleep;
use voight_http::AppState;

/// Pause between two runs of the jobs.
const JOB_INTERVAL: Duration = Duration::from_secs(5);

/// Runs the jobs periodically for as long as the service runs.
pub(super) async fn run(state: web::Data<AppState>) {
    loop {
        sleep(JOB_INTERVAL).await;
        run_jobs(&state).await;
    }
}

async fn run_jobs(state: &AppState) {
    let now = state.clock.now();
    // The clock is read first: a clock that jumps after this check has not affected `now`.
    if state.clock.error().is_some() {
        return;
    }
    let report = state.services.maintenance.run_jobs(now).await;
    state
        .metrics
        .record_expired_checks(report.judged, report.unjudgeable.len());
    for (check, error) in report.unjudgeable {
        tracing::warn!(event = "expired_check_skipped", %check, %error, "an expired check cannot be evaluated");
    }
    for error in report.errors {
        tracing::warn!(event = "background_jobs_postponed", %error, "background jobs are postponed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::os::OsEntropy;
    use crate::testing::one_row;
    use crate::wiring::StoreUrl;
    use crate::wiring::wire;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use voight_domain::ledger_audit::ExportLine;
    use voight_domain::metering::Opening;
    use voight_domain::secrets::Pepper;
    use voight_domain::services::{LedgerExport, Openings};
    use voight_domain::{Environment, Timestamp};
    use voight_http::{HttpSettings, MonotonicClock, SystemPorts};
    use voight_support::ManualClock;

    const YEAR: Duration = Duration::from_hours(24 * 365);

    /// Returns the opening of the only row of an export.
    async fn opening(mut export: LedgerExport) -> Option<Opening> {
        loop {
            let lines = export.next_lines().await.unwrap().expect("a row");
            if let Some(ExportLine::Row(line)) = lines.first() {
                return line.opening;
            }
        }
    }

    #[test]
    fn retention_is_suspended_while_the_clock_is_untrusted() {
        let config = Config::default();
        let start = Timestamp::from_millis(1_795_255_200_000);
        let clock = Arc::new(ManualClock::new(start));
        let hours = Arc::new(AtomicU64::new(0));
        let services = wire(
            &config,
            &StoreUrl::Memory,
            &Pepper::from_bytes([1; 32]),
            clock.clone(),
        )
        .unwrap();
        let passed_hours = Arc::clone(&hours);
        let monotonic_clock = MonotonicClock::from_fn(move || {
            Duration::from_hours(passed_hours.load(Ordering::SeqCst))
        });
        let system = SystemPorts {
            clock: clock.clone(),
            monotonic_clock,
            entropy: Arc::new(OsEntropy),
        };
        let state = AppState::new(services, HttpSettings::default(), system);
        super::super::block_on(async {
            let client = one_row(&state.services).await.client;
            let opening = async || {
                run_jobs(&state).await;
                opening(
                    state
                        .services
                        .ledgers
                        .export(client.clone(), Environment::Live, Openings::Included)
                        .await
                        .unwrap(),
                )
                .await
            };
            assert!(opening().await.is_some());
            clock.set(start.saturating_add(YEAR));
            assert!(opening().await.is_some());
            hours.store(YEAR.as_secs() / 3600, Ordering::SeqCst);
            assert!(opening().await.is_none());
        });
    }
}
