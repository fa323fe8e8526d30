//! Write transaction of one command. Its view consists of the committed data, the writes of its group, and its own
//! writes.

use crate::batch::Change;
use crate::checksum;
use crate::merge::visit_merged;
use crate::record::Record;
use crate::table::{RecordKey, Table};
use crate::{Batch, EngineError, EntryVisitor, Order, Read};
use std::ops::RangeInclusive;

/// Writable view of the store. Its writes stay private until the command has succeeded.
pub(crate) struct WriteTransaction<'a> {
    base: &'a dyn Read,
    group: &'a Batch,
    own: Batch,
}

impl<'a> WriteTransaction<'a> {
    /// Creates a transaction over committed data and the writes of earlier commands of the group.
    pub(crate) fn new(base: &'a dyn Read, group: &'a Batch) -> Self {
        Self { base, group, own: Batch::default() }
    }

    /// Returns the committed data, without the writes of the group and of this transaction.
    pub(crate) const fn committed(&self) -> &'a dyn Read {
        self.base
    }

    /// Writes a record.
    pub(crate) fn put<R: Record>(&mut self, at: RecordKey<R>, record: &R) {
        let value = checksum::with_checksum(&at.key, record.encode());
        self.own.put(at.key, value);
    }

    /// Removes a record.
    pub(crate) fn remove<R: Record>(&mut self, at: RecordKey<R>) {
        self.own.remove(at.key);
    }

    /// Returns `true` if the group or this transaction has written to one of these tables.
    pub(crate) fn touches(&self, tables: &RangeInclusive<Table>) -> bool {
        writes_to_tables(self.group, tables) || writes_to_tables(&self.own, tables)
    }

    /// Returns the writes of this transaction.
    pub(crate) fn into_batch(self) -> Batch {
        self.own
    }

    fn pending(&self, key: &[u8]) -> Option<&Change> {
        self.own.get(key).or_else(|| self.group.get(key))
    }
}

/// Returns `true` if a batch writes to one of these tables.
pub(crate) fn writes_to_tables(batch: &Batch, tables: &RangeInclusive<Table>) -> bool {
    batch.range(&[*tables.start() as u8], &[*tables.end() as u8 + 1]).next().is_some()
}

impl Read for WriteTransaction<'_> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        match self.pending(key) {
            Some(Change::Put(value)) => visit(value),
            Some(Change::Remove) => {}
            None => self.base.get(key, visit)?,
        }
        Ok(())
    }

    fn range(&self, from: &[u8], to: &[u8], order: Order, visit: &mut EntryVisitor<'_>) -> Result<(), EngineError> {
        visit_merged(self.base, [self.group, &self.own], from..to, order, visit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use crate::testing::MapEngine;
    use proptest::prelude::*;
    use std::ops::ControlFlow;

    type Entries = Vec<(Vec<u8>, Vec<u8>)>;

    fn changes() -> impl Strategy<Value = Batch> {
        let change = (prop::collection::vec(0..4_u8, 1..3), any::<Option<u8>>());
        prop::collection::vec(change, 0..12).prop_map(|changes| {
            changes.into_iter().fold(Batch::default(), |mut batch, (key, value)| {
                match value {
                    Some(value) => batch.put(key, vec![value]),
                    None => batch.remove(key),
                }
                batch
            })
        })
    }

    fn range(view: &dyn Read, order: Order, limit: usize) -> Entries {
        let mut found = Vec::new();
        let visit = &mut |key: &[u8], value: &[u8]| {
            found.push((key.to_vec(), value.to_vec()));
            if found.len() == limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        view.range(&[1], &[3, 2], order, visit).unwrap();
        found
    }

    proptest! {
        #[test]
        fn a_step_reads_as_if_everything_was_committed(base in changes(), group in changes(), own in changes(), limit in 1..9_usize) {
            let engine = MapEngine::default();
            engine.apply(&base).unwrap();
            let snapshot = engine.snapshot().unwrap();
            let mut transaction = WriteTransaction::new(&snapshot, &group);
            transaction.own = own.clone();
            engine.apply(&group).unwrap();
            engine.apply(&own).unwrap();
            let committed = engine.snapshot().unwrap();
            for order in [Order::Ascending, Order::Descending] {
                prop_assert_eq!(range(&transaction, order, limit), range(&committed, order, limit));
            }
            for key in 0..4 {
                let value = |view: &dyn Read| {
                    let mut found = None;
                    view.get(&[key], &mut |value| found = Some(value.to_vec())).unwrap();
                    found
                };
                prop_assert_eq!(value(&transaction), value(&committed));
            }
        }
    }
}
