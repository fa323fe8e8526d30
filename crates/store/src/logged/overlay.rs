//! Changes that are in the log and not yet in the database.

use super::marker::CheckpointRecord;
use crate::merge::visit_merged;
use crate::{Batch, EngineError, EntryVisitor, Order, Read};

/// A batch that somebody else holds is not changed: a snapshot that is being read keeps its layers as they are, and whoever
/// adds a batch still holds it. But each read looks into all of them; from so many on, layers are merged all the same, which
/// copies them.
const MAX_LAYERS: usize = 8;

/// Batches that were acknowledged, oldest first.
#[derive(Debug, Default)]
pub(super) struct Memtable {
    /// What is on its way to the database, oldest first, with a marker.
    frozen: Vec<Batch>,
    /// What came since.
    layers: Vec<Batch>,
}

impl Memtable {
    /// Adds a batch, which wins over those before it.
    pub(super) fn add(&mut self, batch: Batch) {
        self.merge();
        self.layers.push(batch);
    }

    /// Makes one layer of the two newest ones.
    fn merge(&mut self) {
        let is_full = self.layers.len() >= MAX_LAYERS;
        if let [.., older, newer] = &mut self.layers[..]
            && (is_full || !older.is_shared() && !newer.is_shared())
        {
            older.extend(std::mem::take(newer));
            self.layers.pop();
        }
    }

    /// Everything that goes to the database next, with the marker that says so; that of the last time, if it did not get there.
    /// Batches stay apart: whoever reads them now would have them copied.
    pub(super) fn freeze(&mut self, marker: &CheckpointRecord) -> Vec<Batch> {
        if !self.has_frozen() {
            let mut last = Batch::default();
            marker.put(&mut last);
            self.layers.push(last);
            self.frozen = std::mem::take(&mut self.layers);
        }
        self.frozen.clone()
    }

    /// Forgets what was sealed: it is in the database.
    pub(super) fn drop_frozen(&mut self) {
        self.frozen.clear();
    }

    /// Whether something was sealed that is not in the database yet, as far as is known.
    pub(super) const fn has_frozen(&self) -> bool {
        !self.frozen.is_empty()
    }

    /// Whether there is nothing.
    pub(super) const fn is_empty(&self) -> bool {
        self.frozen.is_empty() && self.layers.is_empty()
    }

    /// The batches, oldest first, as they are now.
    pub(super) fn layers(&self) -> Vec<Batch> {
        self.frozen.iter().chain(&self.layers).cloned().collect()
    }
}

/// A database as it was at one moment, with what was in the log alone.
pub struct WalSnapshot<S> {
    pub(super) base: S,
    pub(super) layers: Vec<Batch>,
}

impl<S: Read> Read for WalSnapshot<S> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        match self.layers.iter().rev().find_map(|layer| layer.get(key)) {
            Some(change) => {
                if let Some(value) = change.value() {
                    visit(value);
                }
                Ok(())
            }
            None => self.base.get(key, visit),
        }
    }

    fn range(&self, from: &[u8], to: &[u8], order: Order, visit: &mut EntryVisitor<'_>) -> Result<(), EngineError> {
        visit_merged(&self.base, &self.layers, (from, to), order, visit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(key: u8, value: u8) -> Batch {
        let mut batch = Batch::default();
        batch.put(vec![key], vec![value]);
        batch
    }

    #[test]
    fn who_reads_keeps_what_was_there_and_nobody_else_keeps_layers_apart() {
        let mut overlay = Memtable::default();
        overlay.add(put(1, 1));
        overlay.add(put(2, 2));
        let read = overlay.layers();
        for value in 0..100 {
            overlay.add(put(1, value));
            assert!(overlay.layers.len() <= MAX_LAYERS);
        }
        assert_eq!(Batch::merged(&read), Batch::merged(&[put(1, 1), put(2, 2)]));
        assert_eq!(Batch::merged(&overlay.layers()), Batch::merged(&[put(1, 99), put(2, 2)]));
        drop(read);
        overlay.add(put(3, 3));
        overlay.add(put(3, 4));
        assert!(overlay.layers.len() < MAX_LAYERS, "{} layers", overlay.layers.len());
    }

    #[test]
    fn what_is_sealed_stays_as_it_is_until_it_is_folded() {
        let mut overlay = Memtable::default();
        overlay.add(put(1, 1));
        let read = overlay.layers();
        overlay.add(put(1, 2));
        let mut marker = Batch::default();
        CheckpointRecord { number: 7, ..CheckpointRecord::default() }.put(&mut marker);
        let sealed = overlay.freeze(&CheckpointRecord { number: 7, ..CheckpointRecord::default() });
        assert_eq!(sealed, [put(1, 1), put(1, 2), marker]);
        overlay.add(put(1, 3));
        assert_eq!(
            overlay.freeze(&CheckpointRecord { number: 8, ..CheckpointRecord::default() }),
            sealed,
            "it did not get there yet"
        );
        assert_eq!(Batch::merged(&overlay.layers()).get(&[1]), put(1, 3).get(&[1]));
        overlay.drop_frozen();
        assert_eq!((overlay.layers(), read), (vec![put(1, 3)], vec![put(1, 1)]));
        assert!(!overlay.has_frozen());
    }
}
