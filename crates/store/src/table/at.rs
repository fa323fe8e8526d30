//! Keys and spans of keys, each for records of one type.

use super::Table;
use crate::record::Record;
use std::marker::PhantomData;

/// The key of a record of type `R`.
#[derive(Debug)]
pub(crate) struct RecordKey<R> {
    pub(crate) key: Vec<u8>,
    record: PhantomData<fn() -> R>,
}

/// The keys of records of type `R`, from the first to before the last.
#[derive(Debug)]
pub(crate) struct KeyRange<R> {
    pub(crate) from: Vec<u8>,
    pub(crate) to: Vec<u8>,
    record: PhantomData<fn() -> R>,
}

impl<R: Record> RecordKey<R> {
    /// The key of a record that a scan has shown.
    pub(crate) fn from_scan(key: &[u8]) -> Self {
        Self { key: key.to_vec(), record: PhantomData }
    }

    pub(super) fn new(parts: &[&[u8]]) -> Self {
        Self { key: join(R::TABLE, parts), record: PhantomData }
    }
}

impl<R: Record> KeyRange<R> {
    /// Every record of the table.
    pub(crate) fn all() -> Self {
        Self::with_prefix(&[])
    }

    /// Every record whose key begins with these parts.
    pub(super) fn with_prefix(parts: &[&[u8]]) -> Self {
        let from = join(R::TABLE, parts);
        let mut to = from.clone();
        // The next key that does not begin so. It ends at the table's byte at the latest, which is never 255.
        while to.pop_if(|byte| *byte == u8::MAX).is_some() {}
        if let Some(last) = to.last_mut() {
            *last += 1;
        }
        Self { from, to, record: PhantomData }
    }

    /// Only what comes after `at`.
    pub(crate) fn starting_after(mut self, at: RecordKey<R>) -> Self {
        self.from = at.key;
        self.from.push(0);
        self
    }

    /// Only what comes after the record, if one is given.
    pub(crate) fn after_any(self, at: Option<RecordKey<R>>) -> Self {
        match at {
            Some(at) => self.starting_after(at),
            None => self,
        }
    }

    /// Only what comes from keys on that begin with these parts.
    pub(super) fn from(mut self, parts: &[&[u8]]) -> Self {
        self.from = join(R::TABLE, parts);
        self
    }

    /// Only what comes before keys that begin with these parts.
    pub(super) fn ending_before(mut self, parts: &[&[u8]]) -> Self {
        self.to = join(R::TABLE, parts);
        self
    }
}

fn join(table: Table, parts: &[&[u8]]) -> Vec<u8> {
    let mut key = Vec::with_capacity(1 + parts.iter().map(|part| part.len()).sum::<usize>());
    key.push(table as u8);
    for part in parts {
        key.extend_from_slice(part);
    }
    key
}

/// The last `N` bytes of a key.
pub(crate) fn tail<const N: usize>(key: &[u8]) -> Option<[u8; N]> {
    key.last_chunk::<N>().copied()
}
