//! Reads single records from blocks.

use super::block::{self, Found, Records};
use super::region::Region;
use crate::key_value::KeyValue;
use crate::{EngineError, EntryVisitor, Order, Read, checksum};
use std::ops::{ControlFlow, Range};

/// Snapshot of an engine with blocks.
pub struct BlockSnapshot<S> {
    inner: S,
}

impl<S: Read> BlockSnapshot<S> {
    pub(super) const fn new(inner: S) -> Self {
        Self { inner }
    }

    /// Passes the block that can contain `key`, the last one at or before it, to `visit`.
    fn block_of(
        &self,
        region: &Region,
        key: &[u8],
        visit: &mut dyn FnMut(&[u8], &[u8]),
    ) -> Result<(), EngineError> {
        self.inner.range(
            &region.first,
            &[key, &[0]].concat(),
            Order::Descending,
            &mut |block_key, value| {
                visit(block_key, value);
                ControlFlow::Break(())
            },
        )
    }
}

/// Passes the records of a block whose keys are in `range` to `visit`.
fn visit_records(
    records: Records,
    range: &Range<&[u8]>,
    order: Order,
    visit: &mut EntryVisitor<'_>,
) -> ControlFlow<()> {
    let mut visit_record = |(key, record): KeyValue| {
        let value = checksum::with_checksum(&key, record);
        visit(&key, &value)
    };
    let mut records = records
        .into_iter()
        .filter(|(key, _)| range.contains(&key.as_slice()));
    match order {
        Order::Ascending => records.try_for_each(&mut visit_record),
        Order::Descending => records.rev().try_for_each(&mut visit_record),
    }
}

impl<S: Read> Read for BlockSnapshot<S> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        let Some(region) = Region::of_key(key) else {
            return self.inner.get(key, visit);
        };
        self.block_of(
            region,
            key,
            &mut |block_key, value| match block::find(block_key, value, key) {
                Found::Record(record) => visit(&checksum::with_checksum(key, record.to_vec())),
                Found::Nothing => {}
                Found::Damaged => visit(value),
            },
        )
    }

    /// Scans all entries of the inner engine in the range once. A damaged key that is out of order is therefore seen. A damaged
    /// block is passed as it is: its checksum is wrong, which readers of records report.
    ///
    /// # Errors
    ///
    /// [`EngineError::Corrupt`] for a damaged block whose key precedes the range. A scan that goes on after the block would
    /// otherwise see it again and never end.
    fn range(
        &self,
        from: &[u8],
        to: &[u8],
        order: Order,
        visit: &mut EntryVisitor<'_>,
    ) -> Result<(), EngineError> {
        let mut start = from.to_vec();
        if let Some(region) = Region::of_key(from) {
            self.block_of(region, from, &mut |block_key, _| start = block_key.to_vec())?;
        }
        let mut corruption = None;
        self.inner.range(&start, to, order, &mut |key, value| {
            if Region::of_key(key).is_none() {
                return visit(key, value);
            }
            match block::decode(key, value) {
                Some(records) => visit_records(records, &(from..to), order, visit),
                None if key < from => {
                    corruption = Some(block::corrupt(key));
                    ControlFlow::Break(())
                }
                None => visit(key, value),
            }
        })?;
        corruption.map_or(Ok(()), Err)
    }
}
