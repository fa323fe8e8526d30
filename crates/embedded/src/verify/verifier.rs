//! Scans a database and verifies its records.

use super::record::{StoredRecord, VerifyRecord};
use super::state::VerifyState;
use super::{TableReport, VerifyReport, corrupt};
use crate::record::Record;
use crate::record_types::{RecordTypeVisitor, visit_record_type};
use crate::scan_batch::scan_batch;
use crate::table::{EVIDENCE, Table};
use std::ops::ControlFlow;
use voight_domain::ports::StoreError;
use voight_engine::{EngineError, Order, Read, checksum};

/// Key that sorts after every record key.
const END_OF_KEYS: [u8; 2] = [u8::MAX; 2];

/// Database of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseKind {
    /// Main database: everything except raw evidence.
    Main,
    /// Database of raw evidence.
    Evidence,
}

impl DatabaseKind {
    /// Returns `true` if the database contains `table`. Both contain the identity.
    pub(crate) fn has(self, table: Table) -> bool {
        table == Table::Identity || (self == Self::Evidence) == EVIDENCE.contains(&(table as u8))
    }
}

/// Incremental verification of every record of a database.
#[derive(Debug)]
pub struct Verifier {
    part: DatabaseKind,
    next: Vec<u8>,
    seen: VerifyState,
    report: VerifyReport,
}

impl Verifier {
    /// Creates a verification that starts at the first record.
    pub fn new(part: DatabaseKind) -> Self {
        Self {
            part,
            next: Vec::new(),
            seen: VerifyState::default(),
            report: VerifyReport::default(),
        }
    }

    /// Returns the result so far.
    pub const fn report(&self) -> &VerifyReport {
        &self.report
    }

    /// Returns the result.
    pub fn into_report(self) -> VerifyReport {
        self.report
    }

    /// Verifies at most `records` further records of `view`. Returns `true` if more follow.
    ///
    /// # Errors
    ///
    /// The view could not be read; the next call continues at the record that failed.
    pub fn slice(&mut self, view: &impl Read, records: usize) -> Result<bool, StoreError> {
        let mut entries = Vec::new();
        match scan_batch(
            view,
            self.next.as_slice()..&END_OF_KEYS,
            records,
            &mut entries,
        ) {
            Ok(()) if entries.is_empty() => {
                self.leave_ledger(view, None)?;
                return Ok(false);
            }
            Err(EngineError::Corrupt(what)) if entries.is_empty() => {
                return Ok(self.skip_table(&what));
            }
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
            // A damaged key led back to an earlier one; without this check the scan would never end.
            self.next = from;
            return Ok(self.skip_table("its keys are out of order"));
        }
        Ok(true)
    }

    /// Skips the rest of a table that cannot be read; the next table may be readable.
    fn skip_table(&mut self, what: &str) -> bool {
        let table = self.next.first().copied().unwrap_or(0);
        let name = Table::of_key(&[table]).map_or("unknown", Table::name);
        self.report.add(
            name,
            &self.next,
            format!("what follows cannot be read: {what}"),
        );
        self.next = vec![table.saturating_add(1)];
        self.seen.forget_ledger();
        table < u8::MAX
    }

    fn verify_record(
        &mut self,
        view: &impl Read,
        key: &[u8],
        value: &[u8],
    ) -> Result<(), StoreError> {
        self.leave_ledger(view, Some(key))?;
        let Some(table) = Table::of_key(key).filter(|table| self.part.has(*table)) else {
            self.report.add(
                "unknown",
                key,
                "no table of this database has such keys".to_owned(),
            );
            return Ok(());
        };
        let outcome = match checksum::verify(key, value) {
            Some(bytes) => visit_record_type(
                table,
                StoredRecord {
                    view,
                    state: &mut self.seen,
                    key,
                    bytes,
                },
            ),
            None => Err(corrupt("the checksum is wrong")),
        };
        if let Err(StoreError::Corrupt(_)) = &outcome {
            self.seen.after_damage(table, key);
        }
        self.record_damage(table, key, outcome)?;
        self.report.count(table, key.len() + value.len());
        Ok(())
    }

    /// Compares the current ledger with its meter, unless `key` is the next row of the same ledger.
    fn leave_ledger(&mut self, view: &impl Read, key: Option<&[u8]>) -> Result<(), StoreError> {
        let Some((meter, outcome)) = self.seen.leave_ledger(view, key) else {
            return Ok(());
        };
        self.record_damage(Table::Meter, &meter, outcome)?;
        self.seen.forget_ledger();
        Ok(())
    }

    fn record_damage(
        &mut self,
        table: Table,
        key: &[u8],
        outcome: Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        match outcome {
            Err(StoreError::Corrupt(what)) => {
                self.report.add(table.name(), key, what);
                Ok(())
            }
            other => other,
        }
    }
}

impl<V: Read> RecordTypeVisitor for StoredRecord<'_, V> {
    type Output = Result<(), StoreError>;

    fn visit<R: VerifyRecord>(mut self) -> Self::Output {
        decoded::<R>(self.bytes)?.verify(&mut self)
    }
}

/// Checks that the bytes decode as a record of the table. Dumps are checked with it, too.
pub(crate) fn layout(table: Table, bytes: &[u8]) -> Result<(), StoreError> {
    visit_record_type(table, RecordLayout(bytes))
}

struct RecordLayout<'a>(&'a [u8]);

impl RecordTypeVisitor for RecordLayout<'_> {
    type Output = Result<(), StoreError>;

    fn visit<R: VerifyRecord>(self) -> Self::Output {
        decoded::<R>(self.0).map(drop)
    }
}

fn decoded<R: Record>(bytes: &[u8]) -> Result<R, StoreError> {
    R::decode(bytes).map_err(|error| corrupt(error.to_string()))
}

/// Counts the records of each table without verifying them.
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
