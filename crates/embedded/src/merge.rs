//! Merges pending batches into a range scan.

use crate::batch::Change;
use crate::{Batch, EngineError, EntryVisitor, Order, Read};
use std::collections::btree_map;
use std::ops::{ControlFlow, Range};

/// Visits the entries whose keys are in `range` as they will be once the batches are applied in order.
///
/// Pending changes are read lazily: a scan that stops after a few entries does not pay for all pending changes of the
/// range.
pub(crate) fn visit_merged<'a>(
    base: &dyn Read,
    batches: impl IntoIterator<Item = &'a Batch>,
    range: Range<&[u8]>,
    order: Order,
    visit: &mut EntryVisitor<'_>,
) -> Result<(), EngineError> {
    let pending = PendingRange::new(batches.into_iter().map(|batch| batch.range(range.start, range.end)), order);
    let mut merge = MergeVisitor { pending, flow: ControlFlow::Continue(()) };
    base.range(range.start, range.end, order, &mut |key, value| merge.committed(key, value, visit))?;
    merge.visit_remaining(visit);
    Ok(())
}

/// Merges pending changes into a scan of committed entries.
struct MergeVisitor<'a> {
    pending: PendingRange<'a>,
    flow: ControlFlow<()>,
}

impl MergeVisitor<'_> {
    /// Visits pending changes before `key`, then the committed entry unless a pending change replaces it.
    fn committed(&mut self, key: &[u8], value: &[u8], visit: &mut EntryVisitor<'_>) -> ControlFlow<()> {
        while self.flow.is_continue() && self.pending.comes_before(key) {
            self.show_next(visit);
        }
        if self.flow.is_continue() {
            if self.pending.next == Some(key) { self.show_next(visit) } else { self.flow = visit(key, value) }
        }
        self.flow
    }

    /// Visits pending changes after the last committed entry.
    fn visit_remaining(&mut self, visit: &mut EntryVisitor<'_>) {
        while self.flow.is_continue() && self.pending.next.is_some() {
            self.show_next(visit);
        }
    }

    fn show_next(&mut self, visit: &mut EntryVisitor<'_>) {
        if let Some((key, Some(value))) = self.pending.next_change() {
            self.flow = visit(key, value);
        }
    }
}

/// Merged changes of several batches in a range, in key order. The newest batch decides for equal keys.
struct PendingRange<'a> {
    /// Cursors of the batches, oldest first.
    batches: Vec<BatchCursor<'a>>,
    order: Order,
    /// Next key in the order of the scan.
    next: Option<&'a [u8]>,
}

impl<'a> PendingRange<'a> {
    fn new(batches: impl Iterator<Item = btree_map::Range<'a, Vec<u8>, Change>>, order: Order) -> Self {
        let batches = batches.map(|rest| BatchCursor::new(rest, order)).filter(|rest| rest.first.is_some()).collect();
        let mut pending = Self { batches, order, next: None };
        pending.find_next();
        pending
    }

    /// Takes the next key and its value after all batches; `None` as value for a removed key.
    fn next_change(&mut self) -> Option<(&'a [u8], Option<&'a [u8]>)> {
        let next = self.next?;
        let mut newest = None;
        for batch in &mut self.batches {
            if let Some((_, change)) = batch.first.filter(|(key, _)| *key == next) {
                newest = change.value();
                batch.advance(self.order);
            }
        }
        self.find_next();
        Some((next, newest))
    }

    fn find_next(&mut self) {
        let keys = self.batches.iter().filter_map(|batch| batch.first).map(|(key, _)| key.as_slice());
        self.next = match self.order {
            Order::Ascending => keys.min(),
            Order::Descending => keys.max(),
        };
    }

    /// Returns `true` if the next pending key precedes `key` in the order of the scan.
    fn comes_before(&self, key: &[u8]) -> bool {
        self.next.is_some_and(|next| match self.order {
            Order::Ascending => next < key,
            Order::Descending => next > key,
        })
    }
}

/// Cursor over the changes of one batch.
struct BatchCursor<'a> {
    first: Option<(&'a Vec<u8>, &'a Change)>,
    behind: btree_map::Range<'a, Vec<u8>, Change>,
}

impl<'a> BatchCursor<'a> {
    fn new(behind: btree_map::Range<'a, Vec<u8>, Change>, order: Order) -> Self {
        let mut rest = Self { first: None, behind };
        rest.advance(order);
        rest
    }

    fn advance(&mut self, order: Order) {
        self.first = match order {
            Order::Ascending => self.behind.next(),
            Order::Descending => self.behind.next_back(),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use crate::testing::MapEngine;
    use proptest::prelude::*;

    type Entries = Vec<(Vec<u8>, Vec<u8>)>;

    fn batch() -> impl Strategy<Value = Batch> {
        let change = (
            any::<u8>().prop_map(|key| vec![key % 16]),
            any::<Option<u8>>().prop_map(|value| value.map(|value| vec![value])),
        );
        prop::collection::vec(change, 0..8)
            .prop_map(|changes| changes.iter().map(|(key, value)| (key.as_slice(), value.as_deref())).collect())
    }

    fn collect_entries(limit: usize, read: impl FnOnce(&mut EntryVisitor<'_>)) -> Entries {
        let mut shown = Entries::new();
        read(&mut |key, value| {
            shown.push((key.to_vec(), value.to_vec()));
            if shown.len() == limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        shown
    }

    proptest! {
        #[test]
        fn batches_are_read_as_if_they_were_applied(base in batch(), batches in prop::collection::vec(batch(), 0..5), limit in 1..9_usize) {
            let (before, after) = (MapEngine::default(), MapEngine::default());
            before.apply(&base).unwrap();
            std::iter::once(&base).chain(&batches).for_each(|batch| after.apply(batch).unwrap());
            let (base, all) = (before.snapshot().unwrap(), after.snapshot().unwrap());
            let range: Range<&[u8]> = &[2]..&[14];
            for order in [Order::Ascending, Order::Descending] {
                let read = collect_entries(limit, |visit| visit_merged(&base, &batches, range.clone(), order, visit).unwrap());
                prop_assert_eq!(read, collect_entries(limit, |visit| all.range(range.start, range.end, order, visit).unwrap()));
            }
        }
    }
}
