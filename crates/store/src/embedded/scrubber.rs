//! Where a store is in looking through its own records.

use crate::Read;
use crate::verify::{Damage, DatabaseKind, Verifier, VerifyReport};
use voight_domain::ports::{ScrubPass, ScrubProgress, StoreError, TableRows};
use voight_domain::vocabulary::Timestamp;

/// Goes through both databases, one after the other, again and again.
pub(super) struct Scrubber {
    part: DatabaseKind,
    walk: Verifier,
    /// What was seen of the main database, once the walk is in the evidence.
    main: VerifyReport,
}

impl Default for Scrubber {
    fn default() -> Self {
        Self { part: DatabaseKind::Main, walk: Verifier::new(DatabaseKind::Main), main: VerifyReport::default() }
    }
}

impl Scrubber {
    /// The database that the next slice is in.
    pub(super) const fn part(&self) -> DatabaseKind {
        self.part
    }

    /// Records that the round has seen so far.
    pub(super) fn records_verified(&self) -> u64 {
        self.main.rows() + self.walk.report().rows()
    }

    /// What was found damaged. A round ends with the first slice that finds something.
    pub(super) fn damage(&self) -> &[Damage] {
        &self.walk.report().damage
    }

    /// Looks at the next records of this database; whether there are more.
    pub(super) fn scan_batch(&mut self, view: &impl Read, records: usize) -> Result<bool, StoreError> {
        self.walk.slice(view, records)
    }

    /// Says what a slice has come to that was begun when `before` records had been seen, and gets ready for the next one.
    pub(super) fn finish_batch(&mut self, before: u64, more: bool, now: Timestamp) -> ScrubProgress {
        let damage: Vec<_> = self.damage().iter().map(ToString::to_string).collect();
        let (seen, whole) = (self.records_verified(), damage.is_empty());
        let finished = match (self.part, more) {
            (_, true) if whole => None,
            (DatabaseKind::Main, false) if whole => {
                self.main = self.switch_database(DatabaseKind::Evidence);
                None
            }
            _ => Some(self.end(now)),
        };
        ScrubProgress {
            verified: seen.saturating_sub(before),
            verified_in_pass: seen,
            damage,
            finished,
            persist_error: None,
        }
    }

    fn end(&mut self, now: Timestamp) -> ScrubPass {
        let mut report = std::mem::take(&mut self.main);
        report.absorb(self.switch_database(DatabaseKind::Main));
        let tables = report.tables.iter();
        let tables = tables.map(|found| TableRows { table: found.table.into(), rows: found.rows, bytes: found.bytes });
        ScrubPass { finished_at: now, damaged: report.damaged, tables: tables.collect() }
    }

    /// Begins to go through a database; returns what was seen of the one before.
    fn switch_database(&mut self, part: DatabaseKind) -> VerifyReport {
        self.part = part;
        std::mem::replace(&mut self.walk, Verifier::new(part)).into_report()
    }
}
