//! Where a store is in looking through its own records.

use crate::Read;
use crate::verify::{Damage, Part, Report, Walk};
use voight_domain::ports::{ScrubProgress, ScrubRound, StoreError, TableRows};
use voight_domain::vocabulary::Timestamp;

/// Goes through both databases, one after the other, again and again.
pub(super) struct Scrubber {
    part: Part,
    walk: Walk,
    /// What was seen of the main database, once the walk is in the evidence.
    main: Report,
}

impl Default for Scrubber {
    fn default() -> Self {
        Self { part: Part::Main, walk: Walk::through(Part::Main), main: Report::default() }
    }
}

impl Scrubber {
    /// The database that the next slice is in.
    pub(super) const fn part(&self) -> Part {
        self.part
    }

    /// Records that the round has seen so far.
    pub(super) fn seen(&self) -> u64 {
        self.main.rows() + self.walk.report().rows()
    }

    /// What was found damaged. A round ends with the first slice that finds something.
    pub(super) fn damage(&self) -> &[Damage] {
        &self.walk.report().damage
    }

    /// Looks at the next records of this database; whether there are more.
    pub(super) fn slice(&mut self, view: &impl Read, records: usize) -> Result<bool, StoreError> {
        self.walk.slice(view, records)
    }

    /// Says what a slice has come to that was begun when `before` records had been seen, and gets ready for the next one.
    pub(super) fn turn(&mut self, before: u64, more: bool, now: Timestamp) -> ScrubProgress {
        let damage: Vec<_> = self.damage().iter().map(ToString::to_string).collect();
        let (seen, whole) = (self.seen(), damage.is_empty());
        let finished = match (self.part, more) {
            (_, true) if whole => None,
            (Part::Main, false) if whole => {
                self.main = self.begin(Part::Evidence);
                None
            }
            _ => Some(self.end(now)),
        };
        ScrubProgress { looked_at: seen.saturating_sub(before), seen, damage, finished, unkept: None }
    }

    fn end(&mut self, now: Timestamp) -> ScrubRound {
        let mut report = std::mem::take(&mut self.main);
        report.absorb(self.begin(Part::Main));
        let tables = report.tables.iter();
        let tables = tables.map(|found| TableRows { table: found.table.into(), rows: found.rows, bytes: found.bytes });
        ScrubRound { finished_at: now, damaged: report.damaged, tables: tables.collect() }
    }

    /// Begins to go through a database; returns what was seen of the one before.
    fn begin(&mut self, part: Part) -> Report {
        self.part = part;
        std::mem::replace(&mut self.walk, Walk::through(part)).into_report()
    }
}
