//! Metrics of the store: counters of the scrubber, and gauges of the current status.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};
use voight_domain::ports::{Health, ScrubProgress, StoreStatus};

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StateLabels {
    state: &'static str,
}

/// Metrics of the store.
#[derive(Default)]
pub(super) struct StoreMetrics {
    records: Counter,
    rounds: Counter,
    damaged: Counter,
    position: Gauge,
    last_round_records: Gauge,
    last_round_at: Gauge,
    health: Family<StateLabels, Gauge>,
    free: Gauge,
}

impl StoreMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        let registry = registry.sub_registry_with_prefix("store");
        registry.register("scrub_records", "Records that the scrubber has looked at", self.records.clone());
        registry.register("scrub_rounds", "Rounds of the scrubber that have ended", self.rounds.clone());
        registry.register("scrub_damaged", "Damages that the scrubber has found", self.damaged.clone());
        let help = "Records that the scrubber has looked at in this round";
        registry.register("scrub_position_records", help, self.position.clone());
        let help = "Records that the last round of the scrubber saw, 0 before the first";
        registry.register("scrub_last_round_records", help, self.last_round_records.clone());
        let help = "Time at which the last pass of the scrubber ended, 0 before the first";
        registry.register_with_unit("scrub_last_round_timestamp", help, Unit::Seconds, self.last_round_at.clone());
        registry.register("health", "1 for the state that the store is in", self.health.clone());
        let help = "Free space on the store's file system";
        registry.register_with_unit("free", help, Unit::Bytes, self.free.clone());
    }

    /// Counts the progress of the scrubber.
    pub(super) fn scrubbed(&self, progress: &ScrubProgress) {
        self.records.inc_by(progress.verified);
        self.rounds.inc_by(progress.finished.is_some().into());
        self.damaged.inc_by(progress.damage.len() as u64);
        self.position.set(gauge_value(progress.verified_in_pass));
    }

    /// Sets the gauges of the store's status.
    pub(super) fn set_status(&self, health: &Health, upkeep: &StoreStatus) {
        let now = match health {
            Health::Ready => "ready",
            Health::Degraded { .. } => "degraded",
            Health::OutOfSpace => "full",
            Health::Unreachable(_) => "away",
            Health::Failed(_) => "failed",
        };
        for state in ["ready", "degraded", "full", "away", "failed"] {
            self.health.get_or_create(&StateLabels { state }).set((state == now).into());
        }
        if let Some(disk) = upkeep.disk {
            self.free.set(gauge_value(disk.free));
        }
        if let Some(round) = &upkeep.last_scrub {
            self.last_round_at.set(round.finished_at.as_seconds());
            self.last_round_records.set(gauge_value(round.tables.iter().map(|table| table.rows).sum()));
        }
    }
}

fn gauge_value(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use prometheus_client::encoding::text::encode;
    use voight_domain::Timestamp;
    use voight_domain::ports::{DiskUse, ScrubPass, TableRows};

    #[test]
    fn the_scrubber_is_counted_and_the_store_is_in_one_state() {
        let (mut registry, metrics) = (Registry::with_prefix("voight"), StoreMetrics::default());
        metrics.register(&mut registry);
        let tables = vec![TableRows { table: "meter".into(), rows: 9, bytes: 100 }];
        let round = ScrubPass { finished_at: Timestamp::from_millis(5_999), damaged: 2, tables };
        let damage = vec!["one".to_owned(), "other".to_owned()];
        let (finished, unkept) = (Some(round.clone()), None);
        metrics.scrubbed(&ScrubProgress { verified: 4, verified_in_pass: 9, damage, finished, persist_error: unkept });
        let disk = Some(DiskUse { main: 1, evidence: 2, free: 77, reserve: 3 });
        metrics.set_status(&Health::Ready, &StoreStatus::default());
        metrics.set_status(&Health::OutOfSpace, &StoreStatus { disk, committed_at: None, last_scrub: Some(round) });
        let mut text = String::new();
        encode(&mut text, &registry).unwrap();
        for line in [
            "scrub_records_total 4",
            "scrub_rounds_total 1",
            "scrub_damaged_total 2",
            "scrub_position_records 9",
            "scrub_last_round_records 9",
            "scrub_last_round_timestamp_seconds 5",
            "health{state=\"ready\"} 0",
            "health{state=\"full\"} 1",
            "health{state=\"failed\"} 0",
            "free_bytes 77",
        ] {
            assert!(text.contains(&format!("\nvoight_store_{line}\n")), "{line} is not in\n{text}");
        }
    }
}
