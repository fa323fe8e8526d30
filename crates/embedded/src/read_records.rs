//! Typed reads over any view: a snapshot, or a write transaction with its own writes.

use crate::record::Record;
use crate::table::{KeyRange, RecordKey};
use std::ops::ControlFlow;
use voight_domain::ports::StoreError;
use voight_engine::{Order, Read, checksum};

/// Decodes records from the bytes of a view.
pub(crate) trait ReadRecords: Read {
    /// Returns the record at `at`.
    fn fetch<R: Record>(&self, key: &RecordKey<R>) -> Result<Option<R>, StoreError> {
        read_at(self, key, decode)
    }

    /// Returns `true` if a record with a valid checksum exists at `at`. The record is not decoded.
    fn holds<R: Record>(&self, key: &RecordKey<R>) -> Result<bool, StoreError> {
        let record = read_at(self, key, |key, value| bytes::<R>(key, value).map(drop))?;
        Ok(record.is_some())
    }

    /// Passes the keys and records of `span` to `visit`, in `order`, until it stops the scan.
    fn scan<R: Record>(
        &self,
        span: &KeyRange<R>,
        order: Order,
        mut visit: impl FnMut(&[u8], R) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let mut decode_error = None;
        self.range(
            &span.from,
            &span.to,
            order,
            &mut |key, value| match decode(key, value) {
                Ok(record) => visit(key, record),
                Err(error) => {
                    decode_error = Some(error);
                    ControlFlow::Break(())
                }
            },
        )?;
        decode_error.map_or(Ok(()), Err)
    }

    /// Returns at most `limit` records of `span`, mapped with their keys by `make`.
    fn collect<R: Record, T>(
        &self,
        span: &KeyRange<R>,
        order: Order,
        limit: usize,
        mut make: impl FnMut(&[u8], R) -> T,
    ) -> Result<Vec<T>, StoreError> {
        let mut records = Vec::new();
        if limit == 0 {
            return Ok(records);
        }
        self.scan(span, order, |key, record| {
            records.push(make(key, record));
            if records.len() == limit {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
        Ok(records)
    }

    /// Returns at most `limit` records of `span`.
    fn list<R: Record>(&self, span: &KeyRange<R>, limit: usize) -> Result<Vec<R>, StoreError> {
        self.collect(span, Order::Ascending, limit, |_, record| record)
    }
}

impl<V: Read + ?Sized> ReadRecords for V {}

/// Applies `read` to the key and the value at `at`, if a value exists.
fn read_at<R: Record, T>(
    view: &(impl Read + ?Sized),
    record_key: &RecordKey<R>,
    read: impl Fn(&[u8], &[u8]) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    let mut record = None;
    view.get(&record_key.key, &mut |value| {
        record = Some(read(&record_key.key, value));
    })?;
    record.transpose()
}

/// Verifies and decodes the value at `key`.
pub(crate) fn decode<R: Record>(key: &[u8], value: &[u8]) -> Result<R, StoreError> {
    R::decode(bytes::<R>(key, value)?).map_err(|error| corrupt_record(R::TABLE.name(), key, error))
}

/// Verifies the value at `key` and returns the encoded record.
fn bytes<'a, R: Record>(key: &[u8], value: &'a [u8]) -> Result<&'a [u8], StoreError> {
    let corruption = || corrupt_record(R::TABLE.name(), key, "the checksum is wrong");
    checksum::verify(key, value).ok_or_else(corruption)
}

/// Returns the error for a corrupt record. It contains a digest of the key, because keys contain addresses.
pub(crate) fn corrupt_record(table: &str, key: &[u8], what: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt(checksum::describe_corruption(table, key, what))
}
