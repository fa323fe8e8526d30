//! Changes that are written together.

use std::collections::BTreeMap;
use std::collections::btree_map::Range;
use std::ops::Bound;
use std::sync::Arc;

/// A set of changes to an ordered map. Sorted, which trees like to be fed. A clone is the same set until one of them is changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    changes: Arc<BTreeMap<Vec<u8>, Change>>,
}

/// What becomes of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// It gets this value.
    Put(Vec<u8>),
    /// It goes.
    Remove,
}

impl Change {
    /// The value of the key afterwards.
    pub(crate) fn value(&self) -> Option<&[u8]> {
        match self {
            Self::Put(value) => Some(value),
            Self::Remove => None,
        }
    }
}

impl Batch {
    /// One batch of several, each over those before it.
    pub fn merged(batches: &[Self]) -> Self {
        let mut batches = batches.iter().cloned();
        let mut all = batches.next().unwrap_or_default();
        batches.for_each(|batch| all.extend(batch));
        all
    }

    /// Puts `value` at `key`, whatever was decided of the key before.
    pub fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.changes().insert(key, Change::Put(value));
    }

    /// Removes `key`, whatever was decided of it before.
    pub fn remove(&mut self, key: Vec<u8>) {
        self.changes().insert(key, Change::Remove);
    }

    /// Every change in the order of the keys: a value to put, or `None` for a key to remove.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], Option<&[u8]>)> {
        self.changes.iter().map(|(key, change)| (key.as_slice(), change.value()))
    }

    /// The bytes of all keys and values.
    pub(crate) fn bytes(&self) -> u64 {
        self.iter().map(|(key, value)| (key.len() + value.map_or(0, <[u8]>::len)) as u64).sum()
    }

    /// How many changes there are.
    pub(crate) fn len(&self) -> usize {
        self.changes.len()
    }

    /// What is decided of `key`, if anything.
    pub(crate) fn get(&self, key: &[u8]) -> Option<&Change> {
        self.changes.get(key)
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Adds the changes of `later`, which win. One by one: appending whole maps rebuilds both, which costs a group of a
    /// thousand commands fifty times as much.
    pub fn extend(&mut self, later: Self) {
        self.changes().extend(Arc::unwrap_or_clone(later.changes));
    }

    /// Whether a clone of it is still there, so that a change would copy it.
    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.changes) > 1
    }

    /// Gives back its memory, with a pause after every so many changes. If a clone is still there, that is left to its holder.
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

    /// The changes with `from <= key < to`.
    pub(crate) fn range(&self, from: &[u8], to: &[u8]) -> Range<'_, Vec<u8>, Change> {
        // An inverted range is empty here and a panic in the map.
        let to = if from > to { from } else { to };
        self.changes.range::<[u8], _>((Bound::Included(from), Bound::Excluded(to)))
    }
}

/// The changes as [`Batch::iter`] gives them, so that a batch can be copied without some of its changes.
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
