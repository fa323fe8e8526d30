//! Metrics of deliveries to webhook endpoints.

use super::Metrics;
use super::label_sets::OutcomeLabels;
use super::labels::DeliveryOutcome;
use prometheus_client::metrics::counter::Counter;
use std::time::Duration;
use voight_domain::webhooks::DeliveryReport;

impl Metrics {
    /// Counts an attempt. `lag` is the time since the event.
    pub fn record_delivery(&self, report: DeliveryReport, lag: Duration) {
        let outcome = match report {
            DeliveryReport::Delivered => DeliveryOutcome::Delivered,
            DeliveryReport::RetryAt(_) => DeliveryOutcome::Retried,
            DeliveryReport::GivenUp => DeliveryOutcome::GivenUp,
            DeliveryReport::Superseded => DeliveryOutcome::Superseded,
        };
        self.delivery_counter(outcome).inc();
        if outcome == DeliveryOutcome::Delivered {
            self.families.delivery_lag.observe(lag.as_secs_f64());
        }
    }

    /// Counts events that the retention deleted before they were delivered.
    pub fn record_deleted_events(&self, count: u64) {
        self.delivery_counter(DeliveryOutcome::GivenUp)
            .inc_by(count);
    }

    /// Begins the counters at 0, so that the first increase is visible.
    pub(super) fn begin_deliveries(&self) {
        for outcome in DeliveryOutcome::all() {
            self.delivery_counter(outcome).inc_by(0);
        }
    }

    fn delivery_counter(&self, outcome: DeliveryOutcome) -> Counter {
        self.families
            .deliveries
            .get_or_create_owned(&OutcomeLabels {
                outcome: outcome.as_str(),
            })
    }
}
