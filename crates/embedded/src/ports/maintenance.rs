//! Maintenance: scrubbing and status.

use crate::database::Database;
use crate::read_records::ReadRecords;
use crate::scrubber::Scrubber;
use crate::{DatabaseKind, DiskMonitor, EmbeddedStore, table};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;
use voight_domain::ports::{MaintenanceStore, ScrubProgress, StoreError, StoreStatus};
use voight_engine::Engine;

impl<E: Engine> MaintenanceStore for EmbeddedStore<E> {
    fn scrub(&self, records: usize) -> Result<Option<ScrubProgress>, StoreError> {
        let mut scrubber = self.scrubber.lock().unwrap_or_else(PoisonError::into_inner);
        let database = self.database(scrubber.part());
        let records_before = scrubber.records_verified();
        scrub_batch(database, &mut scrubber, records)?;
        if let Some(damage) = scrubber.damage().first() {
            database.fail_stop_on(&StoreError::Corrupt(damage.to_string()));
        }
        let mut progress = scrubber.finish_batch(records_before, self.clock.now());
        progress.persist_error = progress
            .finished
            .as_ref()
            .and_then(|scrub_pass| self.scrub_history.record(&self.identity, scrub_pass));
        Ok(Some(progress))
    }

    fn status(&self) -> Result<StoreStatus, StoreError> {
        Ok(StoreStatus {
            disk: self
                .disk_monitor
                .as_ref()
                .map(DiskMonitor::disk_use)
                .transpose()?,
            committed_at: self.main.committed_at().max(self.evidence.committed_at()),
            last_scrub: self.scrub_history.last_pass(),
            ledger_commits: Some(self.main.commits()),
            databases: vec![self.main.status("main"), self.evidence.status("evidence")],
            evidence_bytes: Some(self.evidence_bytes()?),
        })
    }
}

impl<E: Engine> EmbeddedStore<E> {
    /// Returns the size of the evidence, of which the store keeps a total.
    fn evidence_bytes(&self) -> Result<u64, StoreError> {
        let total = self
            .evidence
            .read(|view| view.fetch(&table::evidence_total()))?;
        Ok(total.unwrap_or_default().0)
    }

    fn database(&self, part: DatabaseKind) -> &Database<E> {
        match part {
            DatabaseKind::Main => &self.main,
            DatabaseKind::Evidence => &self.evidence,
        }
    }
}

/// Verifies the next batch. An engine may panic on a corrupt page; that counts as damage and stops the store, so the
/// incomplete state of the batch is never used.
fn scrub_batch<E: Engine>(
    database: &Database<E>,
    scrubber: &mut Scrubber,
    records: usize,
) -> Result<(), StoreError> {
    let batch = AssertUnwindSafe(|| database.read(|view| scrubber.scan_batch(view, records)));
    catch_unwind(batch).unwrap_or_else(|_| {
        let damage = StoreError::Corrupt("the database panicked while it was scrubbed".into());
        database.fail_stop_on(&damage);
        Err(damage)
    })
}
