//! Past versions, as long as a snapshot needs them.
//!
//! sled has a single state. A snapshot therefore refers to the version at which it was taken, and every later batch
//! adds the values that it replaced. Versions are dropped with the last snapshot that refers to them.

use sled::IVec;
use std::collections::BTreeMap;
use std::ops::{Bound, Range};
use std::sync::{Arc, OnceLock};

/// Entries of a map.
pub(crate) type Entries = BTreeMap<Vec<u8>, IVec>;
/// Values that a batch replaced; `None` for keys that did not exist.
pub(crate) type UndoEntries = BTreeMap<Vec<u8>, Option<IVec>>;

/// Version of the database between two batches.
#[derive(Debug, Default)]
pub(crate) struct SnapshotVersion {
    /// Values that the next batch replaced, and the version after it.
    next: OnceLock<(UndoEntries, Arc<SnapshotVersion>)>,
}

impl SnapshotVersion {
    /// Ends this version; `None` if it has ended before.
    pub(crate) fn supersede(&self, undo_entries: UndoEntries) -> Option<Arc<Self>> {
        let next_version = Arc::new(Self::default());
        self.next
            .set((undo_entries, Arc::clone(&next_version)))
            .ok()
            .map(|()| next_version)
    }

    /// Returns the value of `key` at this version; `now` reads the current value.
    pub(crate) fn value<E>(
        &self,
        key: &[u8],
        now: impl FnOnce() -> Result<Option<IVec>, E>,
    ) -> Result<Option<IVec>, E> {
        // The first later batch that changed the key recorded its value.
        match self
            .replaced_since()
            .find_map(|undo_entries| undo_entries.get(key))
        {
            Some(value) => Ok(value.clone()),
            None => now(),
        }
    }

    /// Reverts the current entries whose keys are in `range` to this version.
    pub(crate) fn undo_to(&self, range: Range<&[u8]>, entries: &mut Entries) {
        let span = (Bound::Included(range.start), Bound::Excluded(range.end));
        let newest_last: Vec<_> = self.replaced_since().collect();
        for (key, old_value) in newest_last
            .into_iter()
            .rev()
            .flat_map(|undo_entries| undo_entries.range::<[u8], _>(span))
        {
            match old_value {
                Some(value) => drop(entries.insert(key.clone(), value.clone())),
                None => drop(entries.remove(key)),
            }
        }
    }

    fn replaced_since(&self) -> impl Iterator<Item = &UndoEntries> {
        let links = std::iter::successors(self.next.get(), |(_, after)| after.next.get());
        links.map(|(replaced, _)| replaced)
    }
}

impl Drop for SnapshotVersion {
    /// Drops the chain iteratively. A snapshot may have outlived more batches than the stack can hold frames.
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some((_, after)) = next {
            next = Arc::into_inner(after).and_then(|mut version| version.next.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(entries: &[(&str, Option<&str>)]) -> UndoEntries {
        entries
            .iter()
            .map(|(key, value)| (key.as_bytes().to_vec(), value.map(IVec::from)))
            .collect()
    }

    fn entries(of: &[(&str, &str)]) -> Entries {
        of.iter()
            .map(|(key, value)| (key.as_bytes().to_vec(), IVec::from(*value)))
            .collect()
    }

    #[test]
    fn snapshot_reads_the_oldest_later_change() {
        let first = SnapshotVersion::default();
        let second = first
            .supersede(replaced(&[("a", Some("1")), ("b", None)]))
            .unwrap();
        let third = second
            .supersede(replaced(&[
                ("a", Some("2")),
                ("b", Some("2")),
                ("c", Some("1")),
            ]))
            .unwrap();
        let read_value = |version: &SnapshotVersion, key: &str| {
            version
                .value(key.as_bytes(), || Err("now"))
                .map(|value| value.map(|v| v.to_vec()))
        };
        assert_eq!(read_value(&first, "a"), Ok(Some(b"1".to_vec())));
        assert_eq!(read_value(&second, "a"), Ok(Some(b"2".to_vec())));
        assert_eq!(read_value(&first, "b"), Ok(None));
        assert_eq!(read_value(&first, "d"), Err("now"));
        assert_eq!(read_value(&third, "a"), Err("now"));
        let mut past = entries(&[("a", "3"), ("b", "3"), ("d", "1")]);
        first.undo_to(b"a"..b"z", &mut past);
        assert_eq!(past, entries(&[("a", "1"), ("c", "1"), ("d", "1")]));
    }

    #[test]
    fn undo_is_limited_to_the_key_range() {
        let first = SnapshotVersion::default();
        let second = first
            .supersede(replaced(&[
                ("a", Some("1")),
                ("b", Some("1")),
                ("c", Some("1")),
            ]))
            .unwrap();
        let mut past = Entries::new();
        first.undo_to(b"b"..b"c", &mut past);
        assert_eq!(past, entries(&[("b", "1")]));
        assert!(
            first.supersede(UndoEntries::new()).is_none(),
            "a moment ends once"
        );
        drop(second);
    }

    #[test]
    fn long_chain_drops_without_recursion() {
        let first = Arc::new(SnapshotVersion::default());
        let mut last = Arc::clone(&first);
        for _ in 0..1_000_000 {
            last = last.supersede(UndoEntries::new()).unwrap();
        }
        let before_last = Arc::downgrade(&last);
        drop(last);
        assert!(before_last.upgrade().is_some());
        drop(first);
        assert!(before_last.upgrade().is_none());
    }
}
