//! Going through a database.

use super::check::{self, VerifyState};
use super::{TableReport, VerifyReport, corrupt};
use crate::envelope;
use crate::slice::scan_batch;
use crate::table::{EVIDENCE, Table};
use crate::{EngineError, Order, Read};
use std::ops::ControlFlow;
use voight_domain::ports::StoreError;

/// Sorts behind every key there is.
const END_OF_KEYS: [u8; 2] = [u8::MAX; 2];

/// Which of a store's two databases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseKind {
    /// Everything but raw evidence.
    Main,
    /// Raw evidence.
    Evidence,
}

impl DatabaseKind {
    /// The identity is in both; the other tables lie apart.
    pub(crate) fn has(self, table: Table) -> bool {
        table == Table::Identity || (self == Self::Evidence) == EVIDENCE.contains(&(table as u8))
    }
}

/// A walk through every record of a database.
#[derive(Debug)]
pub struct Verifier {
    part: DatabaseKind,
    next: Vec<u8>,
    seen: VerifyState,
    report: VerifyReport,
}

impl Verifier {
    /// A walk that begins at the first record.
    pub fn new(part: DatabaseKind) -> Self {
        Self { part, next: Vec::new(), seen: VerifyState::default(), report: VerifyReport::default() }
    }

    /// What was seen so far.
    pub const fn report(&self) -> &VerifyReport {
        &self.report
    }

    /// What was seen.
    pub fn into_report(self) -> VerifyReport {
        self.report
    }

    /// Looks at the next `records` records, at most, in `view`; whether there are more.
    ///
    /// An error means that the view could not be read; the next slice goes on at the record that could not.
    pub fn slice(&mut self, view: &impl Read, records: usize) -> Result<bool, StoreError> {
        let mut entries = Vec::new();
        match scan_batch(view, (&self.next, &END_OF_KEYS), records, &mut entries) {
            Ok(()) if entries.is_empty() => {
                self.leave_ledger(view, None)?;
                return Ok(false);
            }
            Err(EngineError::Corrupt(what)) if entries.is_empty() => return Ok(self.skip_table(&what)),
            Ok(()) | Err(EngineError::Corrupt(_)) => {}
            Err(error) => return Err(error.into()),
        }
        let from = self.next.clone();
        for (key, value) in entries {
            self.verify_record(view, &key, &value)?;
            self.next = key;
            self.next.push(0);
        }
        if self.next <= from {
            // A damaged key led back, and would do so for ever.
            self.next = from;
            return Ok(self.skip_table("its keys are out of order"));
        }
        Ok(true)
    }

    /// The rest of a table cannot be read; the next one may be.
    fn skip_table(&mut self, what: &str) -> bool {
        let table = self.next.first().copied().unwrap_or(0);
        let name = Table::of_key(&[table]).map_or("unknown", Table::name);
        self.report.add(name, &self.next, format!("what follows cannot be read: {what}"));
        self.next = vec![table.saturating_add(1)];
        self.seen.forget_ledger();
        table < u8::MAX
    }

    fn verify_record(&mut self, view: &impl Read, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        self.leave_ledger(view, Some(key))?;
        let Some(table) = Table::of_key(key).filter(|table| self.part.has(*table)) else {
            self.report.add("unknown", key, "no table of this database has such keys".to_owned());
            return Ok(());
        };
        let outcome = match envelope::verify(key, value) {
            Some(record) => check::verify_record(view, &mut self.seen, table, key, record),
            None => Err(corrupt("the checksum does not hold")),
        };
        if let Err(StoreError::Corrupt(_)) = &outcome {
            self.seen.after_damage(table, key);
        }
        self.record_damage(table, key, outcome)?;
        self.report.count(table, key.len() + value.len());
        Ok(())
    }

    /// Compares the ledger that the walk comes from with its meter, unless `key` is its next row.
    fn leave_ledger(&mut self, view: &impl Read, key: Option<&[u8]>) -> Result<(), StoreError> {
        let Some((meter, outcome)) = self.seen.leave_ledger(view, key) else { return Ok(()) };
        self.record_damage(Table::Meter, &meter, outcome)?;
        self.seen.forget_ledger();
        Ok(())
    }

    fn record_damage(&mut self, table: Table, key: &[u8], outcome: Result<(), StoreError>) -> Result<(), StoreError> {
        match outcome {
            Err(StoreError::Corrupt(what)) => {
                self.report.add(table.name(), key, what);
                Ok(())
            }
            other => other,
        }
    }
}

/// The tables of a database and their records, which are counted and not looked at.
pub fn count_rows(view: &impl Read) -> Result<Vec<TableReport>, EngineError> {
    let mut report = VerifyReport::default();
    view.range(&[], &END_OF_KEYS, Order::Ascending, &mut |key, value| {
        if let Some(table) = Table::of_key(key) {
            report.count(table, key.len() + value.len());
        }
        ControlFlow::Continue(())
    })?;
    Ok(report.tables)
}
