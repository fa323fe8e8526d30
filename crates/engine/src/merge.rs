//! Merges pending batches into a range scan.

use crate::batch::{Change, Changes, changes_in_range};
use crate::recorded_lookups::{RecordCursor, RecordedLookups};
use crate::{Batch, EngineError, EntryVisitor, Order, Read};
use std::collections::btree_map;
use std::ops::{ControlFlow, Range};

/// Visits the entries whose keys are in `range` as they will be once the pending changes are applied in order.
///
/// Pending changes are read lazily: a scan that stops after a few entries does not pay for all pending changes of the
/// range.
pub fn visit_merged(
    base: &dyn Read,
    pending: PendingChanges<'_>,
    range: Range<&[u8]>,
    order: Order,
    visit: &mut EntryVisitor<'_>,
) -> Result<(), EngineError> {
    let mut merge = MergeVisitor {
        pending: pending.in_range(&range, order),
        flow: ControlFlow::Continue(()),
    };
    base.range(range.start, range.end, order, &mut |key, value| {
        merge.committed(key, value, visit)
    })?;
    merge.visit_remaining(visit);
    Ok(())
}

/// Pending changes, oldest first.
#[derive(Default)]
pub struct PendingChanges<'a>(Vec<Pending<'a>>);

enum Pending<'a> {
    Changes(&'a Changes),
    Lookups(&'a RecordedLookups),
}

impl<'a> PendingChanges<'a> {
    /// Adds changes of single keys.
    #[must_use]
    pub fn with_changes(mut self, changes: &'a Changes) -> Self {
        self.0.push(Pending::Changes(changes));
        self
    }

    /// Adds a batch.
    #[must_use]
    pub fn with_batch(mut self, batch: &'a Batch) -> Self {
        self.0.extend([
            Pending::Changes(batch.changes()),
            Pending::Lookups(batch.lookups()),
        ]);
        self
    }

    /// Adds batches, oldest first.
    pub(crate) fn with_batches(self, batches: impl IntoIterator<Item = &'a Batch>) -> Self {
        batches.into_iter().fold(self, Self::with_batch)
    }

    fn in_range(self, range: &Range<&[u8]>, order: Order) -> PendingRange<'a> {
        let cursors = self.0.into_iter().map(|pending| match pending {
            Pending::Changes(changes) => PendingCursor::over_changes(changes, range, order),
            Pending::Lookups(lookups) => {
                PendingCursor::Lookups(RecordCursor::new(lookups, range.start, range.end, order))
            }
        });
        let mut pending = PendingRange {
            cursors: cursors.collect(),
            order,
            next: None,
        };
        pending.find_next();
        pending
    }
}

/// Merges pending changes into a scan of committed entries.
struct MergeVisitor<'a> {
    pending: PendingRange<'a>,
    flow: ControlFlow<()>,
}

impl MergeVisitor<'_> {
    /// Visits pending changes before `key`, then the committed entry unless a pending change replaces it.
    fn committed(
        &mut self,
        key: &[u8],
        value: &[u8],
        visit: &mut EntryVisitor<'_>,
    ) -> ControlFlow<()> {
        while self.flow.is_continue() && self.pending.comes_before(key) {
            self.show_next(visit);
        }
        if self.flow.is_continue() {
            if self.pending.next_key() == Some(key) {
                self.show_next(visit);
            } else {
                self.flow = visit(key, value);
            }
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
        self.pending.skip();
    }
}

/// Merged pending changes in a range, in the order of a scan. The newest change decides for equal keys.
struct PendingRange<'a> {
    /// Cursors of the changes, oldest first.
    cursors: Vec<PendingCursor<'a>>,
    order: Order,
    /// Newest cursor with the next key.
    next: Option<usize>,
}

impl PendingRange<'_> {
    fn next_key(&self) -> Option<&[u8]> {
        self.next_change().map(|(key, _)| key)
    }

    /// Returns the next key and its value after all changes; `None` as value for a removed key.
    fn next_change(&self) -> Option<(&[u8], Option<&[u8]>)> {
        self.cursors.get(self.next?)?.current()
    }

    /// Moves past the next key.
    fn skip(&mut self) {
        let Some(next) = self.next else { return };
        for index in 0..next {
            if self.cursors[index]
                .key()
                .is_some_and(|key| Some(key) == self.cursors[next].key())
            {
                self.cursors[index].advance(self.order);
            }
        }
        self.cursors[next].advance(self.order);
        self.find_next();
    }

    fn find_next(&mut self) {
        self.next = None;
        for (index, cursor) in self.cursors.iter().enumerate() {
            let Some(key) = cursor.key() else { continue };
            let next_key = self.next.and_then(|next| self.cursors[next].key());
            let is_next = next_key.is_none_or(|next_key| match self.order {
                Order::Ascending => key <= next_key,
                Order::Descending => key >= next_key,
            });
            if is_next {
                self.next = Some(index);
            }
        }
    }

    /// Returns `true` if the next pending key precedes `key` in the order of the scan.
    fn comes_before(&self, key: &[u8]) -> bool {
        self.next_key().is_some_and(|next| match self.order {
            Order::Ascending => next < key,
            Order::Descending => next > key,
        })
    }
}

/// Cursor over pending changes of one source.
enum PendingCursor<'a> {
    Changes {
        first: Option<(&'a Vec<u8>, &'a Change)>,
        rest: btree_map::Range<'a, Vec<u8>, Change>,
    },
    Lookups(RecordCursor<'a>),
}

impl<'a> PendingCursor<'a> {
    fn over_changes(changes: &'a Changes, range: &Range<&[u8]>, order: Order) -> Self {
        let mut cursor = Self::Changes {
            first: None,
            rest: changes_in_range(changes, range.start, range.end),
        };
        cursor.advance(order);
        cursor
    }

    fn key(&self) -> Option<&[u8]> {
        self.current().map(|(key, _)| key)
    }

    fn current(&self) -> Option<(&[u8], Option<&[u8]>)> {
        match self {
            Self::Changes { first, .. } => {
                first.map(|(key, change)| (key.as_slice(), change.value()))
            }
            Self::Lookups(cursor) => cursor.current().map(|(key, value)| (key, Some(value))),
        }
    }

    fn advance(&mut self, order: Order) {
        match self {
            Self::Changes { first, rest } => {
                *first = match order {
                    Order::Ascending => rest.next(),
                    Order::Descending => rest.next_back(),
                };
            }
            Self::Lookups(cursor) => cursor.advance(order),
        }
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
        prop::collection::vec(change, 0..8).prop_map(|changes| {
            changes
                .iter()
                .map(|(key, value)| (key.as_slice(), value.as_deref()))
                .collect()
        })
    }

    fn collect_entries(limit: usize, read: impl FnOnce(&mut EntryVisitor<'_>)) -> Entries {
        let mut entries = Entries::new();
        read(&mut |key, value| {
            entries.push((key.to_vec(), value.to_vec()));
            if entries.len() == limit {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        entries
    }

    proptest! {
        #[test]
        fn pending_batches_read_like_applied_ones(base in batch(), batches in prop::collection::vec(batch(), 0..5), limit in 1..9_usize) {
            let base_engine = MapEngine::default();
            let merged_engine = MapEngine::default();
            base_engine.apply(&base).unwrap();
            std::iter::once(&base).chain(&batches).for_each(|batch| merged_engine.apply(batch).unwrap());
            let base = base_engine.snapshot().unwrap();
            let merged_snapshot = merged_engine.snapshot().unwrap();
            let range: Range<&[u8]> = &[2]..&[14];
            for order in [Order::Ascending, Order::Descending] {
                let read = collect_entries(limit, |visit| visit_merged(&base, PendingChanges::default().with_batches(&batches), range.clone(), order, visit).unwrap());
                prop_assert_eq!(read, collect_entries(limit, |visit| merged_snapshot.range(range.start, range.end, order, visit).unwrap()));
            }
        }
    }
}
