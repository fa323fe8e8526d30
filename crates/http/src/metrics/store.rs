//! Metrics of the store: counters of the scrubber, and gauges of the current status.

use super::Metrics;
use super::label_sets::{DatabaseLabels, NoLabels, StateLabels};
use super::labels::{DatabaseName, StoreState};
use voight_domain::ports::{DatabaseStatus, Health, ScrubProgress, StoreStatus};

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
        if let Some(bytes) = status.evidence_bytes {
            self.families
                .evidence_bytes
                .get_or_create(&NoLabels {})
                .set(bytes);
        }
        if let Some(commits) = &status.ledger_commits {
            self.families
                .commit_durations
                .set(commits.durations.clone());
            self.families.group_sizes.set(commits.group_sizes.clone());
        }
        for database in &status.databases {
            self.set_database_status(database);
        }
    }

    fn set_database_status(&self, database: &DatabaseStatus) {
        let named = |name: &DatabaseName| name.as_str() == database.name;
        let Some(name) = DatabaseName::all().into_iter().find(named) else {
            return;
        };
        let labels = DatabaseLabels {
            database: name.as_str(),
        };
        self.families
            .queue_depth
            .get_or_create(&labels)
            .set(database.queued_commands);
        if let Some(log) = database.log {
            self.families
                .log_bytes
                .get_or_create(&labels)
                .set(log.bytes);
            self.families
                .log_fold_lag
                .get_or_create(&labels)
                .set(log.lag.as_secs_f64());
        }
    }

    /// Sets the number of keys that expire soon.
    pub fn set_expiring_keys(&self, keys: u64) {
        self.families
            .expiring_keys
            .get_or_create(&NoLabels {})
            .set(keys);
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
    use std::time::Duration;
    use voight_domain::Timestamp;
    use voight_domain::ports::{CommitHistograms, DiskUse, LogStatus, ScrubPass, TableRows};

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

    #[test]
    fn databases_are_absent_until_the_store_reports_them() {
        let metrics = Metrics::default();
        let names = [
            "_ledger_",
            "_writer_",
            "_log_",
            "_evidence_",
            "keys_expiring",
        ];
        metrics.set_store_status(&Health::Ready, &StoreStatus::default());
        let text = metrics.render(TextFormat::Classic).unwrap();
        for name in names {
            assert!(!text.contains(name), "{name} is in\n{text}");
        }
        let commits = CommitHistograms::default();
        commits.record(3, Duration::from_micros(400));
        let log = LogStatus {
            bytes: 4096,
            lag: Duration::from_millis(250),
        };
        let database = |name, log| DatabaseStatus {
            name,
            queued_commands: 5,
            log,
        };
        metrics.set_store_status(
            &Health::Ready,
            &StoreStatus {
                ledger_commits: Some(commits.snapshot()),
                databases: vec![database("main", Some(log)), database("evidence", None)],
                evidence_bytes: Some(77),
                ..StoreStatus::default()
            },
        );
        metrics.set_expiring_keys(2);
        let text = metrics.render(TextFormat::Classic).unwrap();
        for line in [
            "ledger_commit_duration_seconds_bucket{le=\"0.00025\"} 0",
            "ledger_commit_duration_seconds_bucket{le=\"0.0005\"} 1",
            "ledger_commit_duration_seconds_sum 0.0004",
            "ledger_group_size_bucket{le=\"4\"} 1",
            "ledger_group_size_sum 3.0",
            "writer_queue_depth{database=\"main\"} 5",
            "writer_queue_depth{database=\"evidence\"} 5",
            "log_bytes{database=\"main\"} 4096",
            "log_fold_lag_seconds{database=\"main\"} 0.25",
            "evidence_bytes 77",
            "keys_expiring 2",
        ] {
            assert!(
                text.contains(&format!("\nvoight_{line}\n")),
                "{line} is not in\n{text}"
            );
        }
        assert!(!text.contains("log_bytes{database=\"evidence\"}"), "{text}");
    }
}
