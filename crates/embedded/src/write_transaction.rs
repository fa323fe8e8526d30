//! Write transaction of one command. Its view consists of the committed data, the writes of its group, and its own
//! writes.

use crate::record::Record;
use crate::table::{LedgerPrefix, RecordKey, Table};
use std::ops::RangeInclusive;
use voight_domain::metering::MeterState;
use voight_engine::store::{
    Change, Changes, PendingChanges, RecordedLookup, changes_in_range, visit_merged,
};
use voight_engine::{Batch, EngineError, EntryVisitor, Order, Read, checksum};

/// Writable view of the store. Its writes stay private until the command has succeeded.
pub(crate) struct WriteTransaction<'a> {
    base: &'a dyn Read,
    group: &'a Batch,
    own: Writes,
}

/// Writes of a transaction.
#[derive(Debug, Default)]
pub(crate) struct Writes {
    changes: Changes,
    lookups: Vec<(LedgerPrefix, RecordedLookup, MeterState)>,
}

impl Writes {
    /// Adds the writes to those of the group.
    pub(crate) fn add_to(self, group: &mut Batch) {
        if !self.changes.is_empty() {
            group.extend_changes(self.changes);
        }
        for (ledger, lookup, meter) in self.lookups {
            group.record(ledger, lookup, meter);
        }
    }
}

impl<'a> WriteTransaction<'a> {
    /// Creates a transaction over committed data and the writes of earlier commands of the group.
    pub(crate) fn new(base: &'a dyn Read, group: &'a Batch) -> Self {
        Self {
            base,
            group,
            own: Writes::default(),
        }
    }

    /// Returns the committed data, without the writes of the group and of this transaction.
    pub(crate) const fn committed(&self) -> &'a dyn Read {
        self.base
    }

    /// Returns `true` if no earlier command of the group has written anything.
    pub(crate) fn is_first_of_group(&self) -> bool {
        self.group.is_empty()
    }

    /// Writes a record.
    pub(crate) fn put<R: Record>(&mut self, key: RecordKey<R>, record: &R) {
        let value = checksum::with_checksum(&key.key, record.encode());
        self.own.changes.insert(key.key, Change::Put(value));
    }

    /// Removes a record.
    pub(crate) fn remove<R: Record>(&mut self, key: RecordKey<R>) {
        self.own.changes.insert(key.key, Change::Remove);
    }

    /// Records a lookup. `meter` has just counted its row. Must be the last write of the transaction to the ledger,
    /// whose own reads do not include it.
    pub(crate) fn record(
        &mut self,
        ledger: LedgerPrefix,
        lookup: RecordedLookup,
        meter: MeterState,
    ) {
        self.own.lookups.push((ledger, lookup, meter));
    }

    /// Returns the meter of a ledger if the group recorded lookups of it.
    pub(crate) fn recorded_meter(&self, ledger: LedgerPrefix) -> Option<&MeterState> {
        self.group.recorded_meter(ledger)
    }

    /// Returns `true` if the group or this transaction has written to one of these tables, apart from recorded lookups.
    pub(crate) fn touches(&self, tables: &RangeInclusive<Table>) -> bool {
        changes_tables(self.group.changes(), tables) || changes_tables(&self.own.changes, tables)
    }

    /// Returns the writes of this transaction.
    pub(crate) fn into_writes(self) -> Writes {
        self.own
    }
}

/// Returns `true` if there are changes of these tables.
pub(crate) fn changes_tables(changes: &Changes, tables: &RangeInclusive<Table>) -> bool {
    changes_in_range(
        changes,
        &[*tables.start() as u8],
        &[*tables.end() as u8 + 1],
    )
    .next()
    .is_some()
}

impl Read for WriteTransaction<'_> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        match self.own.changes.get(key) {
            Some(Change::Put(value)) => visit(value),
            Some(Change::Remove) => {}
            None if self.group.get(key, visit) => {}
            None => self.base.get(key, visit)?,
        }
        Ok(())
    }

    fn range(
        &self,
        from: &[u8],
        to: &[u8],
        order: Order,
        visit: &mut EntryVisitor<'_>,
    ) -> Result<(), EngineError> {
        let pending = PendingChanges::default()
            .with_batch(self.group)
            .with_changes(&self.own.changes);
        visit_merged(self.base, pending, from..to, order, visit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::ops::ControlFlow;
    use voight_engine::Engine;
    use voight_engine::testing::MapEngine;

    type Entries = Vec<(Vec<u8>, Vec<u8>)>;

    fn changes() -> impl Strategy<Value = Batch> {
        let change = (prop::collection::vec(0..4_u8, 1..3), any::<Option<u8>>());
        prop::collection::vec(change, 0..12).prop_map(|changes| {
            changes
                .into_iter()
                .fold(Batch::default(), |mut batch, (key, value)| {
                    match value {
                        Some(value) => batch.put(key, vec![value]),
                        None => batch.remove(key),
                    }
                    batch
                })
        })
    }

    fn range(view: &dyn Read, order: Order, limit: usize) -> Entries {
        let mut entries = Vec::new();
        let visit = &mut |key: &[u8], value: &[u8]| {
            entries.push((key.to_vec(), value.to_vec()));
            if entries.len() == limit {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        view.range(&[1], &[3, 2], order, visit).unwrap();
        entries
    }

    proptest! {
        #[test]
        fn transaction_reads_own_and_group_changes(base in changes(), group in changes(), own in changes(), limit in 1..9_usize) {
            let engine = MapEngine::default();
            engine.apply(&base).unwrap();
            let snapshot = engine.snapshot().unwrap();
            let mut transaction = WriteTransaction::new(&snapshot, &group);
            transaction.own.changes = own.changes().clone();
            engine.apply(&group).unwrap();
            engine.apply(&own).unwrap();
            let committed_view = engine.snapshot().unwrap();
            for order in [Order::Ascending, Order::Descending] {
                prop_assert_eq!(range(&transaction, order, limit), range(&committed_view, order, limit));
            }
            for key in 0..4 {
                let value = |view: &dyn Read| {
                    let mut stored_value = None;
                    view.get(&[key], &mut |value| stored_value = Some(value.to_vec())).unwrap();
                    stored_value
                };
                prop_assert_eq!(value(&transaction), value(&committed_view));
            }
        }
    }
}
