//! Record keys and key ranges, typed by their records.

use super::Table;
use crate::record::Record;
use std::marker::PhantomData;
use voight_encoding::keyspace::prefix_end;

/// Key of a record of type `R`.
#[derive(Debug)]
pub(crate) struct RecordKey<R> {
    pub(crate) key: Vec<u8>,
    record: PhantomData<fn() -> R>,
}

/// Half-open range of keys of records of type `R`.
#[derive(Debug)]
pub(crate) struct KeyRange<R> {
    pub(crate) from: Vec<u8>,
    pub(crate) to: Vec<u8>,
    record: PhantomData<fn() -> R>,
}

impl<R: Record> RecordKey<R> {
    /// Creates the key of a record from the bytes that a scan returned.
    pub(crate) fn from_scan(key: &[u8]) -> Self {
        Self::from_bytes(key.to_vec())
    }

    pub(super) fn new(parts: &[&[u8]]) -> Self {
        Self::from_bytes(join(R::TABLE, parts))
    }

    pub(super) const fn from_bytes(key: Vec<u8>) -> Self {
        Self {
            key,
            record: PhantomData,
        }
    }
}

impl<R: Record> KeyRange<R> {
    /// Returns the range of the whole table.
    pub(crate) fn all() -> Self {
        Self::with_prefix(&[])
    }

    /// Returns the range of all keys that start with `parts`.
    pub(super) fn with_prefix(parts: &[&[u8]]) -> Self {
        let from = join(R::TABLE, parts);
        Self {
            to: prefix_end(&from),
            from,
            record: PhantomData,
        }
    }

    /// Restricts the range to keys after `at`.
    pub(crate) fn starting_after(mut self, key: RecordKey<R>) -> Self {
        self.from = key.key;
        self.from.push(0);
        self
    }

    /// Restricts the range to keys after `at`, if a key is given.
    pub(crate) fn after_any(self, key: Option<RecordKey<R>>) -> Self {
        match key {
            Some(key) => self.starting_after(key),
            None => self,
        }
    }

    /// Restricts the range to keys at or after `parts`.
    pub(super) fn from(mut self, parts: &[&[u8]]) -> Self {
        self.from = join(R::TABLE, parts);
        self
    }

    /// Restricts the range to keys before `parts`.
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

/// Returns the last `N` bytes of a key.
pub(crate) fn tail<const N: usize>(key: &[u8]) -> Option<[u8; N]> {
    key.last_chunk::<N>().copied()
}
