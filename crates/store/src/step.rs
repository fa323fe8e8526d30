//! One command's view of the store while it runs: what is committed, what its group has written, what itself has.

use crate::batch::Change;
use crate::envelope;
use crate::merge::visit_merged;
use crate::record::Record;
use crate::table::{RecordKey, Table};
use crate::{Batch, EngineError, EntryVisitor, Order, Read};

/// A view that can be written to. Its writes are its own until the command has succeeded.
pub(crate) struct WriteTransaction<'a> {
    base: &'a dyn Read,
    group: &'a Batch,
    own: Batch,
}

impl<'a> WriteTransaction<'a> {
    /// A step over committed data and what earlier commands of the group have written.
    pub(crate) fn new(base: &'a dyn Read, group: &'a Batch) -> Self {
        Self { base, group, own: Batch::default() }
    }

    /// What is committed: without what the group and the step have written.
    pub(crate) const fn committed(&self) -> &'a dyn Read {
        self.base
    }

    /// Puts a record.
    pub(crate) fn put<R: Record>(&mut self, at: RecordKey<R>, record: &R) {
        let value = envelope::with_checksum(&at.key, record.encode());
        self.own.put(at.key, value);
    }

    /// Removes a record.
    pub(crate) fn remove<R: Record>(&mut self, at: RecordKey<R>) {
        self.own.remove(at.key);
    }

    /// Whether the group or the step has written to one of these tables, first to last.
    pub(crate) fn touches(&self, tables: (Table, Table)) -> bool {
        writes_to_tables(self.group, tables) || writes_to_tables(&self.own, tables)
    }

    /// What the step has written.
    pub(crate) fn into_batch(self) -> Batch {
        self.own
    }

    fn pending(&self, key: &[u8]) -> Option<&Change> {
        self.own.get(key).or_else(|| self.group.get(key))
    }
}

/// Whether a batch writes to one of these tables, first to last.
pub(crate) fn writes_to_tables(batch: &Batch, (first, last): (Table, Table)) -> bool {
    batch.range(&[first as u8], &[last as u8 + 1]).next().is_some()
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
        visit_merged(self.base, [self.group, &self.own], (from, to), order, visit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use crate::map_engine::MapEngine;
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
            let mut step = WriteTransaction::new(&snapshot, &group);
            step.own = own.clone();
            engine.apply(&group).unwrap();
            engine.apply(&own).unwrap();
            let committed = engine.snapshot().unwrap();
            for order in [Order::Ascending, Order::Descending] {
                prop_assert_eq!(range(&step, order, limit), range(&committed, order, limit));
            }
            for key in 0..4 {
                let value = |view: &dyn Read| {
                    let mut found = None;
                    view.get(&[key], &mut |value| found = Some(value.to_vec())).unwrap();
                    found
                };
                prop_assert_eq!(value(&step), value(&committed));
            }
        }
    }
}
