//! Consistent snapshot of a sled directory.

use crate::engine::{OpenDatabase, State};
use crate::error::SledError;
use crate::version::{Entries, SnapshotVersion};
use std::ops::Range;
use std::sync::Arc;
use voight_embedded::{EngineError, EntryVisitor, Order, Read};

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
            .filter(|opened| Arc::ptr_eq(&opened.opening, &self.opening))
        {
            Some(opened) => Ok(read(opened)?),
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
        self.read_with(|opened| {
            let range = opened
                .database
                .range::<&[u8], _>(span.start.as_slice()..&span.end);
            let present: Result<Vec<_>, _> = match order {
                Order::Ascending => range.take(limit).collect(),
                Order::Descending => range.rev().take(limit).collect(),
            };
            let present = present?;
            let last = present.get(limit - 1).map(|(key, _)| key.to_vec());
            let (covered, rest) = split(span, order, last);
            let mut entries: Entries = present
                .into_iter()
                .map(|(key, value)| (key.to_vec(), value))
                .collect();
            self.version
                .undo_to(&covered.start..&covered.end, &mut entries);
            Ok((entries, rest))
        })
    }
}

impl Read for SledSnapshot {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        let value =
            self.read_with(|opened| self.version.value(key, || Ok(opened.database.get(key)?)))?;
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
        let (mut left, mut limit) = (Some(from.to_vec()..to.to_vec()), FIRST_CHUNK);
        while let Some(span) = left.take().filter(|span| !span.is_empty()) {
            let (entries, rest) = self.read_chunk(&span, order, limit)?;
            let mut show = |(key, value): (&Vec<u8>, &sled::IVec)| visit(key, value);
            let flow = match order {
                Order::Ascending => entries.iter().try_for_each(&mut show),
                Order::Descending => entries.iter().rev().try_for_each(&mut show),
            };
            if flow.is_break() {
                break;
            }
            (left, limit) = (rest, (limit * 4).min(MAX_CHUNK));
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
