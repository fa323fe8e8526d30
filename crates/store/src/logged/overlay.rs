//! Changes that are in the log and not yet in the database.

use super::marker::Marker;
use crate::merge::merged;
use crate::{Batch, EngineError, Order, Read, Visit};

/// A batch that somebody else holds is not changed: a snapshot that is being read keeps its layers as they are, and whoever
/// adds a batch still holds it. But each read looks into all of them; from so many on, layers are merged all the same, which
/// copies them.
const LAYERS: usize = 8;

/// Batches that were acknowledged, oldest first.
#[derive(Debug, Default)]
pub(super) struct Overlay {
    /// What is on its way to the database.
    sealed: Option<Batch>,
    /// What came since.
    layers: Vec<Batch>,
}

impl Overlay {
    /// Adds a batch, which wins over those before it.
    pub(super) fn add(&mut self, batch: Batch) {
        self.merge();
        self.layers.push(batch);
    }

    /// Makes one layer of the two newest ones.
    fn merge(&mut self) {
        let is_full = self.layers.len() >= LAYERS;
        if let [.., older, newer] = &mut self.layers[..]
            && (is_full || !older.is_shared() && !newer.is_shared())
        {
            older.absorb(std::mem::take(newer));
            self.layers.pop();
        }
    }

    /// Everything that goes to the database next, in one batch with the marker that says so; that of the last time, if it did
    /// not get there.
    pub(super) fn seal(&mut self, marker: &Marker) -> Batch {
        let layers = &mut self.layers;
        let sealed = self.sealed.get_or_insert_with(|| {
            let mut all = Batch::default();
            for layer in layers.drain(..) {
                if all.is_empty() { all = layer } else { all.absorb(layer) }
            }
            marker.put(&mut all);
            all
        });
        sealed.clone()
    }

    /// Forgets what was sealed: it is in the database.
    pub(super) fn folded(&mut self) {
        self.sealed = None;
    }

    /// Whether something was sealed that is not in the database yet, as far as is known.
    pub(super) const fn is_sealed(&self) -> bool {
        self.sealed.is_some()
    }

    /// Whether there is nothing.
    pub(super) const fn is_empty(&self) -> bool {
        self.sealed.is_none() && self.layers.is_empty()
    }

    /// The batches, oldest first, as they are now.
    pub(super) fn layers(&self) -> Vec<Batch> {
        self.sealed.iter().chain(&self.layers).cloned().collect()
    }
}

/// A database as it was at one moment, with what was in the log alone.
pub struct LoggedSnapshot<S> {
    pub(super) base: S,
    pub(super) layers: Vec<Batch>,
}

impl<S: Read> Read for LoggedSnapshot<S> {
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

    fn range(&self, from: &[u8], to: &[u8], order: Order, visit: &mut Visit<'_>) -> Result<(), EngineError> {
        merged(&self.base, &self.layers, (from, to), order, visit)
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

    fn all(layers: &[Batch]) -> Batch {
        layers.iter().cloned().fold(Batch::default(), |mut all, layer| {
            all.absorb(layer);
            all
        })
    }

    #[test]
    fn who_reads_keeps_what_was_there_and_nobody_else_keeps_layers_apart() {
        let mut overlay = Overlay::default();
        overlay.add(put(1, 1));
        overlay.add(put(2, 2));
        let read = overlay.layers();
        for value in 0..100 {
            overlay.add(put(1, value));
            assert!(overlay.layers.len() <= LAYERS);
        }
        assert_eq!(all(&read), all(&[put(1, 1), put(2, 2)]));
        assert_eq!(all(&overlay.layers()), all(&[put(1, 99), put(2, 2)]));
        drop(read);
        overlay.add(put(3, 3));
        overlay.add(put(3, 4));
        assert!(overlay.layers.len() < LAYERS, "{} layers", overlay.layers.len());
    }
}
