//! Erases a verdict with its timeline and label, and writes the tombstone.

use crate::Order;
use crate::embedded::common;
use crate::read_records::ReadRecords;
use crate::record::ContextLocation;
use crate::table::{self, RecordKey};
use crate::write_transaction::WriteTransaction;
use std::ops::ControlFlow;
use voight_domain::ports::{ErasureScope, StoreError};
use voight_domain::secrets::AddressDigest;
use voight_domain::verdict::{Event, Tombstone};
use voight_domain::vocabulary::EoaAddress;

/// Data of an address in one context that an erasure removes.
#[derive(Default)]
pub(super) struct ErasableState {
    /// `true` when the address has a verdict.
    pub(super) verdict: bool,
    /// Number of events in the timeline.
    pub(super) events: u64,
    /// `true` when the address has a label.
    pub(super) label: bool,
    /// `true` when an erasure writes a tombstone, or has written one before.
    pub(super) tombstone: bool,
}

impl ErasableState {
    /// Returns `true` if nothing is to be removed.
    pub(super) const fn is_empty(&self) -> bool {
        !self.verdict && self.events == 0 && !self.label
    }
}

/// Reads the data of an address in one context.
pub(super) fn load_erasable_state(
    view: &impl ReadRecords,
    address: EoaAddress,
    asked: &ErasureScope,
) -> Result<ErasableState, StoreError> {
    let Some((context_key, context)) = common::context(view, &asked.context)? else {
        return Ok(ErasableState::default());
    };
    let verdict = view.fetch(&table::verdict(context_key, &address))?;
    let before = view.fetch(&table::tombstone(context_key, asked.digest))?;
    let mut events = 0;
    view.scan(&table::timeline(context_key, &address), Order::Ascending, |_, _| {
        events += 1;
        ControlFlow::Continue(())
    })?;
    let tombstone = Tombstone::for_erased(&context, verdict.as_ref(), before.as_ref()).is_some();
    let label = view.holds(&table::label(context_key, &address))?;
    Ok(ErasableState { verdict: verdict.is_some(), events, label, tombstone })
}

/// Removes verdict, timeline and label, and writes the tombstone, in one transaction. Returns `true` when done.
///
/// Of a timeline with more than `limit` events, the latest `limit` are removed and `false` is returned, so that the
/// remaining timeline stays consistent with the verdict.
pub(super) fn erase(
    transaction: &mut WriteTransaction<'_>,
    address: EoaAddress,
    asked: &ErasureScope,
    limit: usize,
) -> Result<bool, StoreError> {
    let Some((context_key, context)) = common::context(transaction, &asked.context)? else { return Ok(true) };
    let timeline = table::timeline(context_key, &address);
    let latest =
        transaction.collect(&timeline, Order::Descending, limit + 1, |key, _| RecordKey::<Event>::from_scan(key))?;
    let done = latest.len() <= limit;
    for event in latest.into_iter().take(limit) {
        transaction.remove(event);
    }
    if done {
        let at = table::verdict(context_key, &address);
        let verdict = transaction.fetch(&at)?;
        let before = transaction.fetch(&table::tombstone(context_key, asked.digest))?;
        if let Some(tombstone) = Tombstone::for_erased(&context, verdict.as_ref(), before.as_ref()) {
            transaction.put(table::tombstone(context_key, asked.digest), &tombstone);
        }
        transaction.remove(at);
        transaction.remove(table::label(context_key, &address));
    }
    Ok(done)
}

/// Deletes all tombstones of a context.
pub(in crate::embedded) fn delete_tombstones(
    transaction: &mut WriteTransaction<'_>,
    context_key: ContextLocation,
) -> Result<(), StoreError> {
    let digests = transaction
        .collect(&table::tombstones(context_key), Order::Ascending, usize::MAX, |key, _| table::tail(key))?;
    for digest in digests.into_iter().flatten() {
        transaction.remove(table::tombstone(context_key, AddressDigest(digest)));
    }
    Ok(())
}
