//! Progress of a store in scrubbing its own records.

use crate::verify::{Damage, DatabaseKind, Verifier, VerifyReport};
use voight_domain::ports::{ScrubPass, ScrubProgress, StoreError, TableRows};
use voight_domain::vocabulary::Timestamp;
use voight_engine::Read;

/// Scrubs both databases in turn, continuously.
pub(crate) struct Scrubber {
    part: DatabaseKind,
    walk: Verifier,
    /// `true` if records of this database follow after the last batch.
    has_more: bool,
    /// Report on the main database while the evidence is being scrubbed.
    main: VerifyReport,
}

impl Default for Scrubber {
    fn default() -> Self {
        let part = DatabaseKind::Main;
        Self {
            part,
            walk: Verifier::new(part),
            has_more: true,
            main: VerifyReport::default(),
        }
    }
}

impl Scrubber {
    /// Returns the database of the next batch.
    pub(crate) const fn part(&self) -> DatabaseKind {
        self.part
    }

    /// Returns the number of records that the pass has verified.
    pub(crate) fn records_verified(&self) -> u64 {
        self.main.rows() + self.walk.report().rows()
    }

    /// Returns the damage found. A pass ends with the first batch that finds any.
    pub(crate) fn damage(&self) -> &[Damage] {
        &self.walk.report().damage
    }

    /// Verifies the next records of this database.
    pub(crate) fn scan_batch(
        &mut self,
        view: &impl Read,
        records: usize,
    ) -> Result<(), StoreError> {
        self.has_more = self.walk.slice(view, records)?;
        Ok(())
    }

    /// Finishes a batch and prepares the next one. `before` is the number of verified records before the batch.
    pub(crate) fn finish_batch(&mut self, records_before: u64, now: Timestamp) -> ScrubProgress {
        let damage: Vec<_> = self.damage().iter().map(ToString::to_string).collect();
        let records_verified = self.records_verified();
        let is_intact = damage.is_empty();
        let finished_pass = match (self.part, self.has_more) {
            (_, true) if is_intact => None,
            (DatabaseKind::Main, false) if is_intact => {
                self.main = self.switch_database(DatabaseKind::Evidence);
                None
            }
            _ => Some(self.end(now)),
        };
        ScrubProgress {
            verified: records_verified.saturating_sub(records_before),
            verified_in_pass: records_verified,
            damage,
            finished: finished_pass,
            persist_error: None,
        }
    }

    fn end(&mut self, now: Timestamp) -> ScrubPass {
        let mut report = std::mem::take(&mut self.main);
        report.absorb(self.switch_database(DatabaseKind::Main));
        let tables = report.tables.iter();
        let tables = tables.map(|table_report| TableRows {
            table: table_report.table.into(),
            rows: table_report.rows,
            bytes: table_report.bytes,
        });
        ScrubPass {
            finished_at: now,
            damaged: report.damaged,
            tables: tables.collect(),
        }
    }

    /// Switches to a database and returns the report on the previous one.
    fn switch_database(&mut self, part: DatabaseKind) -> VerifyReport {
        self.part = part;
        std::mem::replace(&mut self.walk, Verifier::new(part)).into_report()
    }
}
