//! Changes that are written together.

use std::collections::BTreeMap;
use std::collections::btree_map::Range;
use std::ops::Bound;

/// A set of changes to an ordered map: a value to put, or (`None`) a key to remove. Sorted, which trees like to be fed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    changes: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
}

impl Batch {
    /// Puts `value` at `key`, whatever was decided of the key before.
    pub fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.changes.insert(key, Some(value));
    }

    /// Removes `key`, whatever was decided of it before.
    pub fn remove(&mut self, key: Vec<u8>) {
        self.changes.insert(key, None);
    }

    /// What is decided of `key`: `None` is nothing, `Some(None)` its removal.
    pub fn get(&self, key: &[u8]) -> Option<Option<&[u8]>> {
        self.changes.get(key).map(Option::as_deref)
    }

    /// Every change, in the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], Option<&[u8]>)> {
        self.changes.iter().map(|(key, value)| (key.as_slice(), value.as_deref()))
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Adds the changes of `later`, which win.
    pub fn absorb(&mut self, mut later: Self) {
        self.changes.append(&mut later.changes);
    }

    /// The changes with `from <= key < to`.
    pub(crate) fn within(&self, from: &[u8], to: &[u8]) -> Range<'_, Vec<u8>, Option<Vec<u8>>> {
        // An inverted range is empty here and a panic in the map.
        let to = if from > to { from } else { to };
        self.changes.range::<[u8], _>((Bound::Included(from), Bound::Excluded(to)))
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
        first.absorb(second);
        assert_eq!(first.get(b"a"), Some(None));
        assert_eq!(first.get(b"b"), Some(Some(b"1".as_slice())));
        assert_eq!(first.get(b"c"), None);
    }
}
