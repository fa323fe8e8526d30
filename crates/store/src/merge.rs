//! A range of what is stored, with changes that are not there yet.

use crate::{Batch, EngineError, Order, Read, Visit};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Shows the entries with `from <= key < to` as they are once the batches are applied, one after the other.
pub(crate) fn merged<'a>(
    base: &dyn Read,
    batches: impl IntoIterator<Item = &'a Batch>,
    (from, to): (&[u8], &[u8]),
    order: Order,
    visit: &mut Visit<'_>,
) -> Result<(), EngineError> {
    let mut pending: BTreeMap<&[u8], Option<&[u8]>> = BTreeMap::new();
    for batch in batches {
        pending.extend(batch.within(from, to).map(|(key, change)| (key.as_slice(), change.value())));
    }
    let mut merge = Merge { pending, order, flow: ControlFlow::Continue(()) };
    base.range(from, to, order, &mut |key, value| merge.committed(key, value, visit))?;
    merge.rest(visit);
    Ok(())
}

/// Merges what is pending into a range of what is committed.
struct Merge<'a> {
    pending: BTreeMap<&'a [u8], Option<&'a [u8]>>,
    order: Order,
    flow: ControlFlow<()>,
}

impl<'a> Merge<'a> {
    /// Shows what is pending before `key`, then the committed entry unless something pending replaces it.
    fn committed(&mut self, key: &[u8], value: &[u8], visit: &mut Visit<'_>) -> ControlFlow<()> {
        while self.flow.is_continue() && self.next_key().is_some_and(|next| self.comes_before(next, key)) {
            self.show_next(visit);
        }
        if self.flow.is_continue() {
            match self.pending.remove(key) {
                Some(Some(newer)) => self.flow = visit(key, newer),
                Some(None) => {}
                None => self.flow = visit(key, value),
            }
        }
        self.flow
    }

    /// Shows what is pending after the last committed entry.
    fn rest(&mut self, visit: &mut Visit<'_>) {
        while self.flow.is_continue() && self.next_key().is_some() {
            self.show_next(visit);
        }
    }

    fn show_next(&mut self, visit: &mut Visit<'_>) {
        let next = match self.order {
            Order::Ascending => self.pending.pop_first(),
            Order::Descending => self.pending.pop_last(),
        };
        if let Some((key, Some(value))) = next {
            self.flow = visit(key, value);
        }
    }

    fn next_key(&self) -> Option<&'a [u8]> {
        let next = match self.order {
            Order::Ascending => self.pending.first_key_value(),
            Order::Descending => self.pending.last_key_value(),
        };
        next.map(|(key, _)| *key)
    }

    fn comes_before(&self, one: &[u8], other: &[u8]) -> bool {
        match self.order {
            Order::Ascending => one < other,
            Order::Descending => one > other,
        }
    }
}
