//! Memtable: changes that are in the log and not yet in the engine.

use super::checkpoint_record::CheckpointRecord;
use crate::merge::{PendingChanges, visit_merged};
use crate::{Batch, EngineError, EntryVisitor, Order, Read};

/// Maximum number of layers in the memtable.
///
/// A merge copies a layer that a snapshot or the appender shares, so shared layers are merged only when there are this
/// many. Each read searches all layers, so their number is bounded.
const MAX_LAYERS: usize = 8;

/// Acknowledged batches, oldest first.
#[derive(Debug, Default)]
pub(super) struct Memtable {
    /// Layers of the running checkpoint, oldest first, with the checkpoint record.
    frozen: Vec<Batch>,
    /// Layers added since the checkpoint started.
    layers: Vec<Batch>,
}

impl Memtable {
    /// Adds a batch, which overwrites earlier ones.
    pub(super) fn add(&mut self, batch: Batch) {
        self.merge_unshared();
        if self.layers.len() >= MAX_LAYERS {
            self.merge_smallest();
        }
        self.layers.push(batch);
    }

    /// Merges the newest layers as long as they are not shared.
    fn merge_unshared(&mut self) {
        while let [.., older, newer] = &mut self.layers[..]
            && !older.is_shared()
            && !newer.is_shared()
        {
            older.extend(std::mem::take(newer));
            self.layers.pop();
        }
    }

    /// Merges the two adjacent layers that have the fewest changes together. A copy of the oldest layers, which have most of
    /// the changes, would delay all writers for milliseconds.
    fn merge_smallest(&mut self) {
        let pairs = self
            .layers
            .windows(2)
            .map(|pair| pair[0].len() + pair[1].len())
            .enumerate();
        if let Some((index, _)) = pairs.min_by_key(|(_, changes)| *changes) {
            let newer = self.layers.remove(index + 1);
            self.layers[index].extend(newer);
        }
    }

    /// Freezes the layers for a checkpoint, adds the checkpoint record, and returns them.
    ///
    /// If the last checkpoint has not succeeded, its layers and record are returned again. The batches are not merged,
    /// because merging copies batches that readers share.
    pub(super) fn freeze(&mut self, marker: &CheckpointRecord) -> Vec<Batch> {
        if !self.has_frozen() {
            let mut last = Batch::default();
            marker.put(&mut last);
            self.layers.push(last);
            self.frozen = std::mem::take(&mut self.layers);
        }
        self.frozen.clone()
    }

    /// Drops the frozen layers after the checkpoint applied them.
    pub(super) fn drop_frozen(&mut self) {
        self.frozen.clear();
    }

    /// Returns `true` if layers are frozen that may not be in the engine yet.
    pub(super) const fn has_frozen(&self) -> bool {
        !self.frozen.is_empty()
    }

    /// Returns `true` if the memtable contains no changes.
    pub(super) const fn is_empty(&self) -> bool {
        self.frozen.is_empty() && self.layers.is_empty()
    }

    /// Returns a snapshot of the layers, oldest first.
    pub(super) fn layers(&self) -> Vec<Batch> {
        self.frozen.iter().chain(&self.layers).cloned().collect()
    }
}

/// Snapshot of the engine with the changes that were only in the log.
pub struct WalSnapshot<S> {
    pub(super) base: S,
    pub(super) layers: Vec<Batch>,
}

impl<S: Read> Read for WalSnapshot<S> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        if self.layers.iter().rev().any(|layer| layer.get(key, visit)) {
            Ok(())
        } else {
            self.base.get(key, visit)
        }
    }

    fn range(
        &self,
        from: &[u8],
        to: &[u8],
        order: Order,
        visit: &mut EntryVisitor<'_>,
    ) -> Result<(), EngineError> {
        visit_merged(
            &self.base,
            PendingChanges::default().with_batches(&self.layers),
            from..to,
            order,
            visit,
        )
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
    fn unshared_layers_are_merged() {
        let mut memtable = Memtable::default();
        memtable.add(put(1, 1));
        memtable.add(put(2, 2));
        let layers = memtable.layers();
        for value in 0..100 {
            memtable.add(put(1, value));
            assert!(memtable.layers.len() <= MAX_LAYERS);
        }
        assert_eq!(
            Batch::merged(&layers),
            Batch::merged(&[put(1, 1), put(2, 2)])
        );
        assert_eq!(
            Batch::merged(&memtable.layers()),
            Batch::merged(&[put(1, 99), put(2, 2)])
        );
        drop(layers);
        memtable.add(put(3, 3));
        memtable.add(put(3, 4));
        assert!(
            memtable.layers.len() < MAX_LAYERS,
            "{} layers",
            memtable.layers.len()
        );
    }

    #[test]
    fn largest_shared_layer_is_not_copied() {
        let mut memtable = Memtable::default();
        memtable.add(
            (0..1000_u16)
                .map(|key| (key.to_be_bytes(), None::<Vec<u8>>))
                .collect(),
        );
        let mut readers = vec![memtable.layers()];
        for value in 0..100 {
            memtable.add(put(1, value));
            readers.push(memtable.layers());
            assert!(memtable.layers.len() <= MAX_LAYERS);
        }
        assert_eq!(memtable.layers[0].len(), 1000);
        assert!(memtable.layers[0].is_shared());
        assert_eq!(
            Batch::merged(&memtable.layers()).changes().get(&[1][..]),
            put(1, 99).changes().get(&[1][..])
        );
    }

    #[test]
    fn frozen_layers_are_immutable() {
        let mut memtable = Memtable::default();
        memtable.add(put(1, 1));
        let layers = memtable.layers();
        memtable.add(put(1, 2));
        let mut marker = Batch::default();
        CheckpointRecord {
            number: 7,
            ..CheckpointRecord::default()
        }
        .put(&mut marker);
        let frozen = memtable.freeze(&CheckpointRecord {
            number: 7,
            ..CheckpointRecord::default()
        });
        assert_eq!(frozen, [put(1, 1), put(1, 2), marker]);
        memtable.add(put(1, 3));
        assert_eq!(
            memtable.freeze(&CheckpointRecord {
                number: 8,
                ..CheckpointRecord::default()
            }),
            frozen,
            "the checkpoint has not succeeded yet"
        );
        assert_eq!(
            Batch::merged(&memtable.layers()).changes().get(&[1][..]),
            put(1, 3).changes().get(&[1][..])
        );
        memtable.drop_frozen();
        assert_eq!(memtable.layers(), vec![put(1, 3)]);
        assert_eq!(layers, vec![put(1, 1)]);
        assert!(!memtable.has_frozen());
    }
}
