//! Consistent snapshot of a sled directory.

use crate::database::{OpenDatabase, State};
use crate::error::SledError;
use crate::version::{Entries, SnapshotVersion};
use std::ops::Range;
use std::sync::Arc;
use voight_engine::{EngineError, EntryVisitor, Order, Read};

/// Number of entries in the first chunk of a range read. Each chunk is four times as large as the previous one, up to a
/// maximum.
const FIRST_CHUNK: usize = 8;
const MAX_CHUNK: usize = 512;

/// Snapshot of the tree.
pub struct SledSnapshot {
    state: Arc<State>,
    opening: Arc<()>,
    version: Arc<SnapshotVersion>,
}

/// Half-open range of keys.
type KeySpan = Range<Vec<u8>>;

impl SledSnapshot {
    pub(crate) fn new(
        state: &Arc<State>,
        opening: &Arc<()>,
        version: &Arc<SnapshotVersion>,
    ) -> Self {
        Self {
            state: Arc::clone(state),
            opening: Arc::clone(opening),
            version: Arc::clone(version),
        }
    }

    /// Reads while no batch is being written to memory.
    fn read_with<T>(
        &self,
        read: impl FnOnce(&OpenDatabase) -> Result<T, SledError>,
    ) -> Result<T, EngineError> {
        let state = self.state.read();
        match state
            .as_ref()
            .filter(|open_database| Arc::ptr_eq(&open_database.opening, &self.opening))
        {
            Some(open_database) => Ok(read(open_database)?),
            None => Err(EngineError::Stale),
        }
    }

    /// Reads the first chunk of a range. Returns its entries, and the remaining range, if any.
    fn read_chunk(
        &self,
        span: &KeySpan,
        order: Order,
        limit: usize,
    ) -> Result<(Entries, Option<KeySpan>), EngineError> {
        self.read_with(|open_database| {
            let range = open_database
                .database
                .range::<&[u8], _>(span.start.as_slice()..&span.end);
            let present_entries: Result<Vec<_>, _> = match order {
                Order::Ascending => range.take(limit).collect(),
                Order::Descending => range.rev().take(limit).collect(),
            };
            let present_entries = present_entries?;
            let last = present_entries.get(limit - 1).map(|(key, _)| key.to_vec());
            let (covered, remaining_span) = split(span, order, last);
            let mut entries: Entries = present_entries
                .into_iter()
                .map(|(key, value)| (key.to_vec(), value))
                .collect();
            self.version
                .undo_to(&covered.start..&covered.end, &mut entries);
            Ok((entries, remaining_span))
        })
    }
}

impl Read for SledSnapshot {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        let value = self.read_with(|open_database| {
            self.version
                .value(key, || Ok(open_database.database.get(key)?))
        })?;
        if let Some(value) = value {
            visit(&value);
        }
        Ok(())
    }

    fn range(
        &self,
        from: &[u8],
        to: &[u8],
        order: Order,
        visit: &mut EntryVisitor<'_>,
    ) -> Result<(), EngineError> {
        let mut unread_span = Some(from.to_vec()..to.to_vec());
        let mut limit = FIRST_CHUNK;
        while let Some(span) = unread_span.take().filter(|span| !span.is_empty()) {
            let (entries, remaining_span) = self.read_chunk(&span, order, limit)?;
            let mut show = |(key, value): (&Vec<u8>, &sled::IVec)| visit(key, value);
            let flow = match order {
                Order::Ascending => entries.iter().try_for_each(&mut show),
                Order::Descending => entries.iter().rev().try_for_each(&mut show),
            };
            if flow.is_break() {
                break;
            }
            (unread_span, limit) = (remaining_span, (limit * 4).min(MAX_CHUNK));
        }
        Ok(())
    }
}

/// Splits a range after the last key of a chunk into the covered and the remaining part. A chunk that is not full
/// covers the whole range.
fn split(span: &KeySpan, order: Order, last: Option<Vec<u8>>) -> (KeySpan, Option<KeySpan>) {
    let KeySpan { start, end } = span.clone();
    match (order, last) {
        (_, None) => (start..end, None),
        (Order::Ascending, Some(mut after)) => {
            after.push(0);
            (start..after.clone(), Some(after..end))
        }
        (Order::Descending, Some(last)) => (last.clone()..end, Some(start..last)),
    }
}
