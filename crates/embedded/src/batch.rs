//! Batch of changes that are written together.

use std::collections::BTreeMap;
use std::collections::btree_map::Range;
use std::ops::Bound;
use std::sync::Arc;

/// Set of changes to an ordered map, sorted by key because trees insert sorted keys faster. Clones share their memory
/// until one of them is changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    changes: Arc<BTreeMap<Vec<u8>, Change>>,
}

/// Change to one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// Sets the value.
    Put(Vec<u8>),
    /// Removes the key.
    Remove,
}

impl Change {
    /// Returns the value of the key after the change.
    pub(crate) fn value(&self) -> Option<&[u8]> {
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
        let mut all = batches.next().unwrap_or_default();
        batches.for_each(|batch| all.extend(batch));
        all
    }

    /// Puts `value` at `key` and replaces an earlier change to the key.
    pub fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.changes().insert(key, Change::Put(value));
    }

    /// Removes `key` and replaces an earlier change to the key.
    pub fn remove(&mut self, key: Vec<u8>) {
        self.changes().insert(key, Change::Remove);
    }

    /// Iterates over the changes in key order: a value to put, or `None` for a key to remove.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], Option<&[u8]>)> {
        self.changes.iter().map(|(key, change)| (key.as_slice(), change.value()))
    }

    /// Returns the total bytes of all keys and values.
    pub(crate) fn bytes(&self) -> u64 {
        self.iter().map(|(key, value)| (key.len() + value.map_or(0, <[u8]>::len)) as u64).sum()
    }

    /// Returns the number of changes.
    pub(crate) fn len(&self) -> usize {
        self.changes.len()
    }

    /// Returns the change to `key`, if the batch contains one.
    pub(crate) fn get(&self, key: &[u8]) -> Option<&Change> {
        self.changes.get(key)
    }

    /// Returns `true` if the batch contains no changes.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Adds the changes of `later`, which overwrite existing ones. Inserts one by one: appending whole maps rebuilds
    /// both, which takes fifty times as long for a group of a thousand commands.
    pub fn extend(&mut self, later: Self) {
        self.changes().extend(Arc::unwrap_or_clone(later.changes));
    }

    /// Returns `true` if a clone exists, so that a change would copy the batch.
    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.changes) > 1
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

    fn changes(&mut self) -> &mut BTreeMap<Vec<u8>, Change> {
        Arc::make_mut(&mut self.changes)
    }

    /// Iterates over the changes with `from <= key < to`.
    pub(crate) fn range(&self, from: &[u8], to: &[u8]) -> Range<'_, Vec<u8>, Change> {
        // An inverted range is empty here; `BTreeMap::range` would panic.
        let to = if from > to { from } else { to };
        self.changes.range::<[u8], _>((Bound::Included(from), Bound::Excluded(to)))
    }
}

/// Collects changes in the form of [`Batch::iter`], to copy a batch without some of its changes.
impl<'a> FromIterator<(&'a [u8], Option<&'a [u8]>)> for Batch {
    fn from_iter<I: IntoIterator<Item = (&'a [u8], Option<&'a [u8]>)>>(changes: I) -> Self {
        let change = |value: Option<&[u8]>| value.map_or(Change::Remove, |value| Change::Put(value.to_vec()));
        let changes = changes.into_iter().map(|(key, value)| (key.to_vec(), change(value))).collect();
        Self { changes: Arc::new(changes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_changes_win() {
        let (mut first, mut second) = (Batch::default(), Batch::default());
        first.put(b"a".to_vec(), b"1".to_vec());
        first.put(b"b".to_vec(), b"1".to_vec());
        second.remove(b"a".to_vec());
        first.extend(second);
        assert_eq!(first.get(b"a"), Some(&Change::Remove));
        assert_eq!(first.get(b"b"), Some(&Change::Put(b"1".to_vec())));
        assert_eq!(first.get(b"c"), None);
    }

    #[test]
    fn memory_is_given_back_with_pauses_by_the_last_holder() {
        let batch: Batch = [b"a", b"b", b"c", b"d", b"e"].map(|key| (&key[..], None)).into_iter().collect();
        let clone = batch.clone();
        let mut pauses = 0;
        batch.drop_in_chunks(2, &mut || pauses += 1);
        assert_eq!((pauses, clone.len()), (0, 5));
        clone.drop_in_chunks(2, &mut || pauses += 1);
        assert_eq!(pauses, 2);
    }

    #[test]
    fn a_clone_stays_as_it_is() {
        let mut batch = Batch::default();
        batch.put(b"a".to_vec(), b"1".to_vec());
        let clone = batch.clone();
        assert!(batch.is_shared());
        batch.remove(b"a".to_vec());
        assert_eq!(clone.get(b"a"), Some(&Change::Put(b"1".to_vec())));
        assert!(!batch.is_shared());
    }
}
