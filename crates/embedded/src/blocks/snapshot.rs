//! Reads single records from blocks.

use super::{END, FIRST, block, is_in_block};
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

    /// Returns the key of the block that can contain `key`: the last one at or before it.
    fn block_before(&self, key: &[u8]) -> Result<Option<Vec<u8>>, EngineError> {
        let mut found = None;
        self.inner.range(&FIRST, &[key, &[0]].concat(), Order::Descending, &mut |at, _| {
            found = Some(at.to_vec());
            ControlFlow::Break(())
        })?;
        Ok(found)
    }

    /// Passes the records in a range of keys in blocks to `visit`.
    fn range_in_blocks(
        &self,
        range: Range<&[u8]>,
        order: Order,
        visit: &mut EntryVisitor<'_>,
    ) -> Result<ControlFlow<()>, EngineError> {
        let from = self.block_before(range.start)?.unwrap_or_else(|| range.start.to_vec());
        let mut flow = ControlFlow::Continue(());
        self.inner.range(&from, range.end, order, &mut |key, value| {
            flow = visit_block(key, value, &range, order, visit);
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
    let Some(mut entries) = block::decode(key, value) else { return visit(key, value) };
    if order == Order::Descending {
        entries.reverse();
    }
    for (key, record) in entries {
        if range.contains(&key.as_slice()) {
            let value = checksum::with_checksum(&key, record);
            visit(&key, &value)?;
        }
    }
    ControlFlow::Continue(())
}

impl<S: Read> Read for BlockSnapshot<S> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        if !is_in_block(key) {
            return self.inner.get(key, visit);
        }
        self.inner.range(&FIRST, &[key, &[0]].concat(), Order::Descending, &mut |at, value| {
            match block::decode(at, value) {
                Some(entries) => {
                    if let Ok(index) = entries.binary_search_by(|(found, _)| found.as_slice().cmp(key)) {
                        visit(&checksum::with_checksum(key, entries[index].1.clone()));
                    }
                }
                None => visit(value),
            }
            ControlFlow::Break(())
        })
    }

    fn range(&self, from: &[u8], to: &[u8], order: Order, visit: &mut EntryVisitor<'_>) -> Result<(), EngineError> {
        let (first, end) = (&FIRST[..], &END[..]);
        let parts = [from..to.min(first), from.max(first)..to.min(end), from.max(end)..to];
        let mut parts = parts.into_iter().enumerate().filter(|(_, part)| part.start < part.end).collect::<Vec<_>>();
        if order == Order::Descending {
            parts.reverse();
        }
        for (index, part) in parts {
            let mut flow = ControlFlow::Continue(());
            if index == 1 {
                flow = self.range_in_blocks(part, order, visit)?;
            } else {
                self.inner.range(part.start, part.end, order, &mut |key, value| {
                    flow = visit(key, value);
                    flow
                })?;
            }
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }
}
