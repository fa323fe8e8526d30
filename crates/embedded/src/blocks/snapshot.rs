//! Reads single records from blocks.

use super::block::{self, Found};
use super::{REGIONS, Region};
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
    fn block_of(&self, region: &Region, key: &[u8], visit: &mut dyn FnMut(&[u8], &[u8])) -> Result<(), EngineError> {
        self.inner.range(&region.first, &[key, &[0]].concat(), Order::Descending, &mut |at, value| {
            visit(at, value);
            ControlFlow::Break(())
        })
    }

    /// Passes the records in a range of keys of a region to `visit`.
    fn range_in_blocks(
        &self,
        region: &Region,
        range: &Range<&[u8]>,
        order: Order,
        visit: &mut EntryVisitor<'_>,
    ) -> Result<ControlFlow<()>, EngineError> {
        let mut from = range.start.to_vec();
        self.block_of(region, range.start, &mut |at, _| from = at.to_vec())?;
        let mut flow = ControlFlow::Continue(());
        self.inner.range(&from, range.end, order, &mut |key, value| {
            flow = visit_block(key, value, range, order, visit);
            flow
        })?;
        Ok(flow)
    }

    /// Passes the entries in a range of keys outside of blocks to `visit`.
    fn range_of_others(
        &self,
        range: &Range<&[u8]>,
        order: Order,
        visit: &mut EntryVisitor<'_>,
    ) -> Result<ControlFlow<()>, EngineError> {
        let mut flow = ControlFlow::Continue(());
        self.inner.range(range.start, range.end, order, &mut |key, value| {
            flow = visit(key, value);
            flow
        })?;
        Ok(flow)
    }
}

/// Passes the records of a block whose keys are in `range` to `visit`. A damaged block is passed as it is: its checksum is wrong,
/// which readers of records report.
fn visit_block(
    key: &[u8],
    value: &[u8],
    range: &Range<&[u8]>,
    order: Order,
    visit: &mut EntryVisitor<'_>,
) -> ControlFlow<()> {
    let Some(records) = block::decode(key, value) else { return visit(key, value) };
    let mut visit_record = |(key, record): (Vec<u8>, Vec<u8>)| {
        let value = checksum::with_checksum(&key, record);
        visit(&key, &value)
    };
    let mut records = records.into_iter().filter(|(key, _)| range.contains(&key.as_slice()));
    match order {
        Order::Ascending => records.try_for_each(&mut visit_record),
        Order::Descending => records.rev().try_for_each(&mut visit_record),
    }
}

impl<S: Read> Read for BlockSnapshot<S> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        let Some(region) = Region::of_key(key) else { return self.inner.get(key, visit) };
        self.block_of(region, key, &mut |at, value| match block::find(at, value, key) {
            Found::Record(record) => visit(&checksum::with_checksum(key, record.to_vec())),
            Found::Nothing => {}
            Found::Damaged => visit(value),
        })
    }

    fn range(&self, from: &[u8], to: &[u8], order: Order, visit: &mut EntryVisitor<'_>) -> Result<(), EngineError> {
        let mut parts = Vec::new();
        let mut next: &[u8] = &[];
        for region in &REGIONS {
            parts.push((None, next..&region.first[..]));
            parts.push((Some(region), &region.first[..]..&region.end[..]));
            next = &region.end;
        }
        parts.push((None, next..to));
        if order == Order::Descending {
            parts.reverse();
        }
        for (region, part) in parts {
            let part = part.start.max(from)..part.end.min(to);
            if part.start >= part.end {
                continue;
            }
            let flow = match region {
                Some(region) => self.range_in_blocks(region, &part, order, visit)?,
                None => self.range_of_others(&part, order, visit)?,
            };
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }
}
