//! Metrics of the store: counters of the scrubber, and gauges of the current status.

use super::Metrics;
use super::labels::StoreState;
use super::table::{NoLabels, StateLabels};
use voight_domain::ports::{Health, ScrubProgress, StoreStatus};

impl Metrics {
    /// Counts the progress of the scrubber.
    pub fn record_scrub(&self, progress: &ScrubProgress) {
        let metrics = &self.families;
        metrics.scrub_records.inc_by(progress.verified);
        metrics
            .scrub_passes
            .inc_by(progress.finished.is_some().into());
        metrics
            .scrub_corrupt_records
            .inc_by(progress.damage.len() as u64);
        metrics
            .scrub_pass_records
            .set(gauge_value(progress.verified_in_pass));
    }

    /// Sets the gauges of the store's status.
    pub fn set_store_status(&self, health: &Health, status: &StoreStatus) {
        let now = StoreState::from(health);
        for state in StoreState::all() {
            let labels = StateLabels {
                state: state.as_str(),
            };
            self.families
                .store_health
                .get_or_create(&labels)
                .set((state == now).into());
        }
        if let Some(disk) = status.disk {
            self.families
                .disk_free
                .get_or_create(&NoLabels {})
                .set(gauge_value(disk.free));
        }
        if let Some(pass) = &status.last_scrub {
            let records = pass.tables.iter().map(|table| table.rows).sum();
            self.families
                .scrub_last_pass_at
                .set(pass.finished_at.as_seconds());
            self.families
                .scrub_last_pass_records
                .set(gauge_value(records));
        }
    }
}

impl From<&Health> for StoreState {
    fn from(health: &Health) -> Self {
        match health {
            Health::Ready => Self::Ready,
            Health::Degraded { .. } => Self::Degraded,
            Health::OutOfSpace => Self::OutOfSpace,
            Health::Unreachable(_) => Self::Unreachable,
            Health::Failed(_) => Self::Failed,
        }
    }
}

fn gauge_value(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::TextFormat;
    use voight_domain::Timestamp;
    use voight_domain::ports::{DiskUse, ScrubPass, TableRows};

    #[test]
    fn scrub_metrics_follow_progress() {
        let metrics = Metrics::default();
        let tables = vec![TableRows {
            table: "meter".into(),
            rows: 9,
            bytes: 100,
        }];
        let pass = ScrubPass {
            finished_at: Timestamp::from_millis(5_999),
            damaged: 2,
            tables,
        };
        let damage = vec!["one".to_owned(), "other".to_owned()];
        let last_pass = Some(pass.clone());
        metrics.record_scrub(&ScrubProgress {
            verified: 4,
            verified_in_pass: 9,
            damage,
            finished: last_pass,
            persist_error: None,
        });
        metrics.set_store_status(&Health::Ready, &StoreStatus::default());
        assert!(
            !metrics
                .render(TextFormat::Classic)
                .unwrap()
                .contains("disk_free"),
            "a store without a disk has no free space"
        );
        let disk = Some(DiskUse {
            main: 1,
            evidence: 2,
            free: 77,
            reserve: 3,
        });
        let status = StoreStatus {
            disk,
            last_scrub: Some(pass),
            ..StoreStatus::default()
        };
        metrics.set_store_status(&Health::OutOfSpace, &status);
        let text = metrics.render(TextFormat::Classic).unwrap();
        for line in [
            "scrub_records_total 4",
            "scrub_passes_total 1",
            "scrub_corrupt_records_total 2",
            "scrub_pass_records 9",
            "scrub_last_pass_records 9",
            "scrub_last_pass_timestamp_seconds 5",
            "health{state=\"ready\"} 0",
            "health{state=\"out_of_space\"} 1",
            "health{state=\"failed\"} 0",
            "disk_free_bytes 77",
        ] {
            assert!(
                text.contains(&format!("\nvoight_store_{line}\n")),
                "{line} is not in\n{text}"
            );
        }
    }
}
