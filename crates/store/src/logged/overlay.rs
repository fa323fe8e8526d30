//! Changes that are in the log and not yet in the database.

use super::marker::Marker;
use crate::merge::merged;
use crate::{Batch, EngineError, Order, Read, Visit};
use std::sync::Arc;

/// A snapshot that is being read keeps its layers as they are, so that writes go to a new one; but each read looks into all
/// of them. From so many on, a layer is copied instead.
const LAYERS: usize = 8;

/// Batches that were acknowledged, oldest first.
#[derive(Debug, Default)]
pub(super) struct Overlay {
    /// What is on its way to the database.
    sealed: Option<Arc<Batch>>,
    /// What came since.
    layers: Vec<Arc<Batch>>,
}

impl Overlay {
    /// Adds a batch, which wins over those before it.
    pub(super) fn add(&mut self, batch: Batch) {
        let is_full = self.layers.len() >= LAYERS;
        match self.layers.last_mut() {
            Some(newest) if is_full || Arc::strong_count(newest) == 1 => Arc::make_mut(newest).absorb(batch),
            _ => self.layers.push(Arc::new(batch)),
        }
    }

    /// Everything that goes to the database next, in one batch with the marker that says so; that of the last time, if it did
    /// not get there.
    pub(super) fn seal(&mut self, marker: &Marker) -> Arc<Batch> {
        let layers = &mut self.layers;
        let sealed = self.sealed.get_or_insert_with(|| {
            let mut all = Batch::default();
            for layer in layers.drain(..) {
                let layer = Arc::unwrap_or_clone(layer);
                if all.is_empty() { all = layer } else { all.absorb(layer) }
            }
            marker.put(&mut all);
            Arc::new(all)
        });
        Arc::clone(sealed)
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
    pub(super) fn layers(&self) -> Vec<Arc<Batch>> {
        self.sealed.iter().chain(&self.layers).map(Arc::clone).collect()
    }
}

/// A database as it was at one moment, with what was in the log alone.
pub struct LoggedSnapshot<S> {
    pub(super) base: S,
    pub(super) layers: Vec<Arc<Batch>>,
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
        merged(&self.base, self.layers.iter().map(AsRef::as_ref), (from, to), order, visit)
    }
}
