//! Records read from any view: a snapshot, or a step with what it has written so far.

use crate::envelope;
use crate::record::Record;
use crate::table::{KeyRange, RecordKey};
use crate::{EngineError, Order, Read};
use std::ops::ControlFlow;
use voight_domain::ports::StoreError;

impl From<EngineError> for StoreError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Full(why) => Self::Full(why),
            EngineError::Corrupt(what) => Self::Corrupt(what),
            EngineError::Io(why) => Self::Fatal(why),
            EngineError::NotApplied(why) => Self::NotApplied(why),
            EngineError::Stale => Self::NotApplied(error.to_string()),
        }
    }
}

/// Reads records where a view gives bytes.
pub(crate) trait ReadRecords: Read {
    /// The record at `at`.
    fn fetch<R: Record>(&self, at: &RecordKey<R>) -> Result<Option<R>, StoreError> {
        read_at(self, at, decode)
    }

    /// Whether there is a whole record at `at`, which is not decoded.
    fn holds<R: Record>(&self, at: &RecordKey<R>) -> Result<bool, StoreError> {
        let found = read_at(self, at, |key, value| bytes::<R>(key, value).map(drop))?;
        Ok(found.is_some())
    }

    /// Shows the keys and records of `span` to `visit`, in order, until it breaks off.
    fn scan<R: Record>(
        &self,
        span: &KeyRange<R>,
        order: Order,
        mut visit: impl FnMut(&[u8], R) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let mut failed = None;
        self.range(&span.from, &span.to, order, &mut |key, value| match decode(key, value) {
            Ok(record) => visit(key, record),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        })?;
        failed.map_or(Ok(()), Err)
    }

    /// At most `limit` records of `span`, each made into something with its key.
    fn collect<R: Record, T>(
        &self,
        span: &KeyRange<R>,
        order: Order,
        limit: usize,
        mut make: impl FnMut(&[u8], R) -> T,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        if limit == 0 {
            return Ok(found);
        }
        self.scan(span, order, |key, record| {
            found.push(make(key, record));
            if found.len() == limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(found)
    }

    /// At most `limit` records of `span`.
    fn list<R: Record>(&self, span: &KeyRange<R>, limit: usize) -> Result<Vec<R>, StoreError> {
        self.collect(span, Order::Ascending, limit, |_, record| record)
    }
}

impl<V: Read + ?Sized> ReadRecords for V {}

/// What `read` makes of the key and the value at `at`, if there is one.
fn read_at<R: Record, T>(
    view: &(impl Read + ?Sized),
    at: &RecordKey<R>,
    read: impl Fn(&[u8], &[u8]) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    let mut found = None;
    view.get(&at.key, &mut |value| found = Some(read(&at.key, value)))?;
    found.transpose()
}

/// The record in the value at `key`.
pub(crate) fn decode<R: Record>(key: &[u8], value: &[u8]) -> Result<R, StoreError> {
    R::decode(bytes::<R>(key, value)?).map_err(|error| envelope::corrupt_record(R::TABLE.name(), key, error))
}

/// The bytes of the record in the value at `key`.
fn bytes<'a, R: Record>(key: &[u8], value: &'a [u8]) -> Result<&'a [u8], StoreError> {
    let damaged = || envelope::corrupt_record(R::TABLE.name(), key, "the checksum does not hold");
    envelope::verify(key, value).ok_or_else(damaged)
}
