//! Maintenance of the store in use: health, backup, scrub, and the background jobs.

use super::{CheckError, CheckService};
use crate::metering::Day;
use crate::ports::{Health, ScrubProgress, Store, StoreError, StoreInfo, StoreStatus};
use crate::retention::RetentionPolicy;
use crate::vocabulary::{CheckId, Timestamp};
use std::io;
use std::sync::Arc;

/// Number of records per batch of a background job, small enough not to delay lookups.
const BATCH_SIZE: usize = 50;

/// Use cases of maintenance.
#[derive(Clone)]
pub struct MaintenanceService {
    checks: CheckService,
    retention: RetentionPolicy,
}

/// Problems of a run of the background jobs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobReport {
    /// Number of expired checks that were evaluated.
    pub judged: usize,
    /// Expired checks that can never be evaluated, with the reason. They are marked as evaluated.
    pub unjudgeable: Vec<(CheckId, CheckError)>,
    /// Errors of the store; the rest of a job with an error is done in a later run.
    pub errors: Vec<StoreError>,
}

impl MaintenanceService {
    /// Creates the service over the store of these checks.
    pub const fn new(checks: CheckService, retention: RetentionPolicy) -> Self {
        Self { checks, retention }
    }

    pub(super) fn store(&self) -> &dyn Store {
        self.checks.store.as_ref()
    }

    /// Returns the description of the store.
    pub fn info(&self) -> StoreInfo {
        self.store().info()
    }

    /// Returns the ability of the store to accept writes.
    pub fn health(&self) -> Health {
        self.store().health()
    }

    /// Returns the status of the store. Blocks.
    pub fn status(&self) -> Result<StoreStatus, StoreError> {
        self.store().status()
    }

    /// Writes a backup of the store to `out` and returns the number of records in it. Blocks.
    pub fn backup(&self, out: &mut dyn io::Write) -> Result<u64, StoreError> {
        self.store().backup(out)
    }

    /// Verifies at most the next `records` records; returns `None` if the store has nothing to verify. Blocks.
    pub fn scrub(&self, records: usize) -> Result<Option<ScrubProgress>, StoreError> {
        self.store().scrub(records)
    }

    /// Returns `true` while another use case holds the store, which is closed when the last one is dropped.
    pub fn is_store_shared(&self) -> bool {
        Arc::strong_count(&self.checks.store) > 1
    }

    /// Runs the background jobs: evaluates expired checks, and deletes data past its retention.
    ///
    /// Of several nodes on one store, only the leader does anything.
    pub async fn run_jobs(&self, now: Timestamp) -> JobReport {
        let mut report = JobReport::default();
        let outcomes = [
            self.judge_expired_checks(now, &mut report).await,
            self.run_in_batches(async || {
                self.store()
                    .evict(now, self.retention.evidence_retention, BATCH_SIZE)
                    .await
            })
            .await,
            self.run_in_batches(async || {
                self.store()
                    .forget_openings(self.retention.openings_before(now), BATCH_SIZE)
                    .await
            })
            .await,
            self.run_in_batches(async || {
                self.store()
                    .expire_sandbox_rows(RetentionPolicy::sandbox_rows_before(now), BATCH_SIZE)
                    .await
            })
            .await,
            self.run_in_batches(async || {
                self.store()
                    .purge_events(RetentionPolicy::events_before(now), BATCH_SIZE)
                    .await
            })
            .await,
            self.run_in_batches(async || {
                let first_day = Day(RetentionPolicy::check_counts_before(now).day());
                self.store().purge_check_counts(first_day, BATCH_SIZE).await
            })
            .await,
        ];
        report
            .errors
            .extend(outcomes.into_iter().filter_map(Result::err));
        report
    }

    /// Deletes records of delivery logs past their retention. Reads every endpoint.
    pub async fn purge_deliveries(&self, now: Timestamp) -> Result<(), StoreError> {
        self.run_in_batches(async || {
            self.store()
                .purge_deliveries(RetentionPolicy::deliveries_before(now), BATCH_SIZE)
                .await
        })
        .await
    }

    /// Evaluates expired checks that were not completed, whose evidence may indicate a bot, then deletes old conclusions.
    /// In this order, because the conclusion of a check whose evaluation was interrupted prevents that it is counted
    /// twice.
    async fn judge_expired_checks(
        &self,
        now: Timestamp,
        report: &mut JobReport,
    ) -> Result<(), StoreError> {
        let opened_before = RetentionPolicy::expired_checks_before(now);
        while self.store().try_acquire_lease().await? {
            let checks = self
                .store()
                .unjudged_checks(opened_before, BATCH_SIZE)
                .await?;
            for check in &checks {
                match self.checks.judge_expired(*check).await {
                    Ok(()) => report.judged += 1,
                    Err(CheckError::Store(error)) => return Err(error),
                    Err(error) => {
                        report.unjudgeable.push((*check, error));
                        // Marked as evaluated, so that it does not block others.
                        self.store().mark_judged(*check).await?;
                    }
                }
            }
            if checks.len() < BATCH_SIZE {
                break;
            }
        }
        self.run_in_batches(async || {
            self.store()
                .sweep(RetentionPolicy::conclusions_before(now), BATCH_SIZE)
                .await
        })
        .await
    }

    /// Runs `batch` while it returns the number of a full batch and this node holds the leader lease.
    async fn run_in_batches(
        &self,
        batch: impl AsyncFn() -> Result<usize, StoreError>,
    ) -> Result<(), StoreError> {
        while self.store().try_acquire_lease().await? && batch().await? == BATCH_SIZE {}
        Ok(())
    }
}
