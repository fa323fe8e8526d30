//! Erasing a verdict with its timeline and its label, and what is left of it.

use crate::Order;
use crate::embedded::shared;
use crate::record::ContextLocation;
use crate::step::WriteTransaction;
use crate::table::{self, RecordKey};
use crate::typed::ReadRecords;
use std::ops::ControlFlow;
use voight_domain::ports::{ErasureScope, StoreError};
use voight_domain::secrets::AddressDigest;
use voight_domain::verdict::{Event, Tombstone};
use voight_domain::vocabulary::EoaAddress;

/// What a context knows of an address.
#[derive(Default)]
pub(super) struct ErasableState {
    /// Whether there is a verdict.
    pub(super) verdict: bool,
    /// How many events there are.
    pub(super) events: u64,
    /// Whether there is a label.
    pub(super) label: bool,
    /// Whether an erase leaves a tombstone, or has left it before.
    pub(super) tombstone: bool,
}

impl ErasableState {
    /// Whether there is nothing to remove.
    pub(super) const fn is_empty(&self) -> bool {
        !self.verdict && self.events == 0 && !self.label
    }
}

/// What a context knows of an address.
pub(super) fn load_erasable_state(
    view: &impl ReadRecords,
    address: EoaAddress,
    asked: &ErasureScope,
) -> Result<ErasableState, StoreError> {
    let Some((place, context)) = shared::context(view, &asked.context)? else { return Ok(ErasableState::default()) };
    let verdict = view.fetch(&table::verdict(place, &address))?;
    let before = view.fetch(&table::tombstone(place, asked.digest))?;
    let mut events = 0;
    view.scan(&table::timeline(place, &address), Order::Ascending, |_, _| {
        events += 1;
        ControlFlow::Continue(())
    })?;
    let tombstone = Tombstone::for_erased(&context, verdict.as_ref(), before.as_ref()).is_some();
    let label = view.holds(&table::label(place, &address))?;
    Ok(ErasableState { verdict: verdict.is_some(), events, label, tombstone })
}

/// Removes the verdict, its timeline and the label, and puts the tombstone, all in one step; whether that is done. Of a timeline with more
/// events than `limit` the latest go first, in steps of their own: what is left of it goes on fitting the verdict.
pub(super) fn erase(
    step: &mut WriteTransaction<'_>,
    address: EoaAddress,
    asked: &ErasureScope,
    limit: usize,
) -> Result<bool, StoreError> {
    let Some((place, context)) = shared::context(step, &asked.context)? else { return Ok(true) };
    let timeline = table::timeline(place, &address);
    let latest = step.collect(&timeline, Order::Descending, limit + 1, |key, _| RecordKey::<Event>::from_scan(key))?;
    let done = latest.len() <= limit;
    for event in latest.into_iter().take(limit) {
        step.remove(event);
    }
    if done {
        let at = table::verdict(place, &address);
        let verdict = step.fetch(&at)?;
        let before = step.fetch(&table::tombstone(place, asked.digest))?;
        if let Some(tombstone) = Tombstone::for_erased(&context, verdict.as_ref(), before.as_ref()) {
            step.put(table::tombstone(place, asked.digest), &tombstone);
        }
        step.remove(at);
        step.remove(table::label(place, &address));
    }
    Ok(done)
}

/// Removes what erases have left in a context.
pub(in crate::embedded) fn delete_tombstones(
    step: &mut WriteTransaction<'_>,
    place: ContextLocation,
) -> Result<(), StoreError> {
    let digests = step.collect(&table::tombstones(place), Order::Ascending, usize::MAX, |key, _| table::tail(key))?;
    for digest in digests.into_iter().flatten() {
        step.remove(table::tombstone(place, AddressDigest(digest)));
    }
    Ok(())
}
