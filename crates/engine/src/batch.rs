//! Batch of changes that are written together.

use crate::recorded_lookups::{ENTRY_BYTES, RecordedLookup, RecordedLookups};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Range;
use std::ops::Bound;
use std::sync::Arc;
use voight_domain::metering::MeterState;
use voight_encoding::keyspace::LedgerPrefix;

/// Changes of single keys, sorted because trees insert sorted keys faster.
pub type Changes = BTreeMap<Vec<u8>, Change>;

/// Set of changes to an ordered map. Clones share their memory until one of them is changed.
///
/// A batch consists of changes of single keys, followed by recorded lookups, which stand for the records that they
/// write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    changes: Arc<Changes>,
    lookups: Arc<RecordedLookups>,
}

/// Change to one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Sets the value.
    Put(Vec<u8>),
    /// Removes the key.
    Remove,
}

impl Change {
    /// Returns the value of the key after the change.
    pub fn value(&self) -> Option<&[u8]> {
        match self {
            Self::Put(value) => Some(value),
            Self::Remove => None,
        }
    }
}

impl Batch {
    /// Merges several batches into one. Later batches overwrite earlier ones.
    pub fn merged(batches: &[Self]) -> Self {
        let mut batches = batches.iter().cloned();
        let mut merged_batch = batches.next().unwrap_or_default();
        batches.for_each(|batch| merged_batch.extend(batch));
        merged_batch
    }

    /// Puts `value` at `key` and replaces an earlier change to the key.
    pub fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.insert(key, Change::Put(value));
    }

    fn insert(&mut self, key: Vec<u8>, change: Change) {
        if self.lookups.shadows(&key) {
            self.expand_lookups();
        }
        Arc::make_mut(&mut self.changes).insert(key, change);
    }

    /// Removes `key` and replaces an earlier change to the key.
    pub fn remove(&mut self, key: Vec<u8>) {
        self.insert(key, Change::Remove);
    }

    /// Creates a batch of changes of single keys.
    pub(crate) fn of_changes(changes: Changes) -> Self {
        Self {
            changes: Arc::new(changes),
            ..Self::default()
        }
    }

    /// Creates a batch of recorded lookups.
    pub(crate) fn of_lookups(lookups: RecordedLookups) -> Self {
        Self {
            lookups: Arc::new(lookups),
            ..Self::default()
        }
    }

    /// Iterates over all changes: a value to put, or `None` for a key to remove. A later change overwrites an earlier one
    /// of the same key. Keys ascend, apart from those of recorded lookups, which follow the others and ascend, too.
    pub fn iter(&self) -> impl Iterator<Item = (Cow<'_, [u8]>, Option<Cow<'_, [u8]>>)> {
        let changes = self.changes.iter();
        let changes = changes.map(|(key, change)| {
            (
                Cow::Borrowed(key.as_slice()),
                change.value().map(Cow::Borrowed),
            )
        });
        changes.chain(
            self.lookups
                .values()
                .map(|(key, value)| (Cow::Owned(key), Some(Cow::Owned(value)))),
        )
    }

    /// Returns the changes of single keys, in key order, without the recorded lookups.
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Returns the recorded lookups.
    pub(crate) fn lookups(&self) -> &RecordedLookups {
        &self.lookups
    }

    /// Adds a recorded lookup of a ledger. `meter` has just counted its row.
    pub fn record(&mut self, ledger: LedgerPrefix, lookup: RecordedLookup, meter: MeterState) {
        Arc::make_mut(&mut self.lookups).push(ledger, lookup, meter);
    }

    /// Returns the meter after the last recorded lookup of a ledger, if there is one.
    pub fn recorded_meter(&self, ledger: LedgerPrefix) -> Option<&MeterState> {
        self.lookups.meter(ledger)
    }

    /// Returns the number of changes and recorded lookups.
    pub(crate) fn len(&self) -> usize {
        self.changes.len() + self.lookups.len()
    }

    /// Returns the approximate number of bytes of the batch as an entry of the log.
    pub(crate) fn bytes(&self) -> u64 {
        let changes = self.changes.iter();
        let bytes =
            changes.map(|(key, change)| (key.len() + change.value().map_or(0, <[u8]>::len)) as u64);
        bytes.sum::<u64>() + self.lookups.len() as u64 * ENTRY_BYTES
    }

    /// Passes the value of `key` after the batch to `visit`, unless the batch removes it. Returns `false` if the batch
    /// does not change the key.
    pub fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> bool {
        if self.lookups.get(key, visit) {
            return true;
        }
        let Some(change) = self.changes.get(key) else {
            return false;
        };
        if let Some(value) = change.value() {
            visit(value);
        }
        true
    }

    /// Returns `true` if the batch changes nothing.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.lookups.is_empty()
    }

    /// Adds the changes of `later`, which overwrite existing ones. Inserts one by one: appending whole maps rebuilds
    /// both, which takes fifty times as long for a group of a thousand commands.
    pub fn extend(&mut self, later: Self) {
        if !later.changes.is_empty() {
            self.extend_changes(Arc::unwrap_or_clone(later.changes));
        }
        if !later.lookups.is_empty() {
            Arc::make_mut(&mut self.lookups).extend(Arc::unwrap_or_clone(later.lookups));
        }
    }

    /// Adds later changes of single keys.
    pub fn extend_changes(&mut self, later: Changes) {
        if !self.lookups.is_empty() && later.keys().any(|key| self.lookups.shadows(key)) {
            self.expand_lookups();
        }
        Arc::make_mut(&mut self.changes).extend(later);
    }

    /// Replaces the recorded lookups by the changes that they stand for, so that later changes can overwrite these.
    fn expand_lookups(&mut self) {
        let lookups = std::mem::take(&mut self.lookups);
        Arc::make_mut(&mut self.changes).extend(
            lookups
                .values()
                .map(|(key, value)| (key, Change::Put(value))),
        );
    }

    /// Returns `true` if a clone exists, so that a change would copy the batch.
    pub(crate) fn is_shared(&self) -> bool {
        (Arc::strong_count(&self.changes) > 1 && !self.changes.is_empty())
            || (Arc::strong_count(&self.lookups) > 1 && !self.lookups.is_empty())
    }

    /// Frees the memory of the batch and calls `pause` after every `every` changes. Does nothing while a clone exists;
    /// the last clone frees the memory.
    pub(crate) fn drop_in_chunks(self, every: usize, pause: &mut dyn FnMut()) {
        let changes = Arc::into_inner(self.changes).unwrap_or_default();
        for (index, change) in changes.into_iter().enumerate() {
            drop(change);
            if (index + 1) % every == 0 {
                pause();
            }
        }
    }
}

/// Iterates over the changes with `from <= key < to`.
pub fn changes_in_range<'a>(
    changes: &'a Changes,
    from: &[u8],
    to: &[u8],
) -> Range<'a, Vec<u8>, Change> {
    // An inverted range is empty here; `BTreeMap::range` would panic.
    let to = if from > to { from } else { to };
    changes.range::<[u8], _>((Bound::Included(from), Bound::Excluded(to)))
}

/// Collects changes in the form of [`Batch::iter`], to copy a batch without some of its changes.
impl<K: Into<Vec<u8>>, V: Into<Vec<u8>>> FromIterator<(K, Option<V>)> for Batch {
    fn from_iter<I: IntoIterator<Item = (K, Option<V>)>>(changes: I) -> Self {
        let change =
            |value: Option<V>| value.map_or(Change::Remove, |value| Change::Put(value.into()));
        Self::of_changes(
            changes
                .into_iter()
                .map(|(key, value)| (key.into(), change(value)))
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_changes_win() {
        let mut first = Batch::default();
        let mut second = Batch::default();
        first.put(b"a".to_vec(), b"1".to_vec());
        first.put(b"b".to_vec(), b"1".to_vec());
        second.remove(b"a".to_vec());
        first.extend(second);
        assert_eq!(first.changes().get(&b"a"[..]), Some(&Change::Remove));
        assert_eq!(
            first.changes().get(&b"b"[..]),
            Some(&Change::Put(b"1".to_vec()))
        );
        assert_eq!(first.changes().get(&b"c"[..]), None);
    }

    #[test]
    fn last_clone_frees_memory_with_pauses() {
        let batch: Batch = [b"a", b"b", b"c", b"d", b"e"]
            .map(|key| (&key[..], None::<Vec<u8>>))
            .into_iter()
            .collect();
        let clone = batch.clone();
        let mut pauses = 0;
        batch.drop_in_chunks(2, &mut || pauses += 1);
        assert_eq!(pauses, 0);
        assert_eq!(clone.changes().len(), 5);
        clone.drop_in_chunks(2, &mut || pauses += 1);
        assert_eq!(pauses, 2);
    }

    #[test]
    fn changes_do_not_affect_clones() {
        let mut batch = Batch::default();
        batch.put(b"a".to_vec(), b"1".to_vec());
        let clone = batch.clone();
        assert!(batch.is_shared());
        batch.remove(b"a".to_vec());
        assert_eq!(
            clone.changes().get(&b"a"[..]),
            Some(&Change::Put(b"1".to_vec()))
        );
        assert!(!batch.is_shared());
    }
}
