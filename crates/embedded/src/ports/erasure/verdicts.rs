//! Erases the records of an address in a context, and writes the tombstone.

use crate::common;
use crate::read_records::ReadRecords;
use crate::record_types::{RecordTypeVisitor, visit_record_type};
use crate::table::{self, ContextKey, RecordKey, Table};
use crate::verify::VerifyRecord;
use crate::write_transaction::WriteTransaction;
use std::ops::ControlFlow;
use voight_domain::ports::{ErasureScope, StoreError};
use voight_domain::secrets::AddressDigest;
use voight_domain::verdict::{Event, Tombstone};
use voight_domain::vocabulary::EoaAddress;
use voight_engine::Order;

/// Data of an address in one context that an erasure removes.
#[derive(Default)]
pub(super) struct ErasableState {
    /// Number of records in each table whose keys start with a context and an address.
    records: Vec<(Table, u64)>,
    /// `true` when an erasure writes a tombstone, or has written one before.
    pub(super) tombstone: bool,
}

impl ErasableState {
    /// Returns the number of records in a table.
    pub(super) fn count(&self, table: Table) -> u64 {
        self.records
            .iter()
            .filter(|(record_table, _)| *record_table == table)
            .map(|(_, count)| count)
            .sum()
    }

    /// Returns `true` if nothing is to be removed.
    pub(super) fn is_empty(&self) -> bool {
        self.records.iter().all(|(_, count)| *count == 0)
    }
}

/// Counts the records of an address in a context.
struct CountRecords<'a, V>(&'a V, ContextKey, &'a EoaAddress);

impl<V: ReadRecords> RecordTypeVisitor for CountRecords<'_, V> {
    type Output = Result<u64, StoreError>;

    fn visit<R: VerifyRecord>(self) -> Self::Output {
        let Self(view, context_key, address) = self;
        let mut count = 0;
        view.scan(
            &table::records_of::<R>(context_key, address),
            Order::Ascending,
            |_, _| {
                count += 1;
                ControlFlow::Continue(())
            },
        )?;
        Ok(count)
    }
}

/// Removes the records of an address in a context.
struct RemoveRecords<'a, 'b>(&'a mut WriteTransaction<'b>, ContextKey, &'a EoaAddress);

impl RecordTypeVisitor for RemoveRecords<'_, '_> {
    type Output = Result<(), StoreError>;

    fn visit<R: VerifyRecord>(self) -> Self::Output {
        let Self(transaction, context_key, address) = self;
        let range = table::records_of::<R>(context_key, address);
        for at in transaction.collect(&range, Order::Ascending, usize::MAX, |key, _: R| {
            RecordKey::<R>::from_scan(key)
        })? {
            transaction.remove(at);
        }
        Ok(())
    }
}

/// Reads the data of an address in one context.
pub(super) fn load_erasable_state(
    view: &impl ReadRecords,
    address: EoaAddress,
    scope: &ErasureScope,
) -> Result<ErasableState, StoreError> {
    let Some((context_key, context)) = common::context(view, &scope.context)? else {
        return Ok(ErasableState::default());
    };
    let verdict = view.fetch(&table::verdict(context_key, &address))?;
    let previous_tombstone = view.fetch(&table::tombstone(context_key, scope.digest))?;
    let tombstone =
        Tombstone::for_erased(&context, verdict.as_ref(), previous_tombstone.as_ref()).is_some();
    let record_counts = table::address_tables().map(|table| {
        Ok((
            table,
            visit_record_type(table, CountRecords(view, context_key, &address))?,
        ))
    });
    Ok(ErasableState {
        records: record_counts.collect::<Result<_, StoreError>>()?,
        tombstone,
    })
}

/// Removes the records of the address in a context, and writes the tombstone, in one transaction. Returns `true` when done.
///
/// Of a timeline with more than `limit` events, the latest `limit` are removed and `false` is returned, so that the
/// remaining timeline stays consistent with the verdict.
pub(super) fn erase(
    transaction: &mut WriteTransaction<'_>,
    address: EoaAddress,
    scope: &ErasureScope,
    limit: usize,
) -> Result<bool, StoreError> {
    let Some((context_key, context)) = common::context(transaction, &scope.context)? else {
        return Ok(true);
    };
    let timeline = table::timeline(context_key, &address);
    let latest = transaction.collect(&timeline, Order::Descending, limit + 1, |key, _| {
        RecordKey::<Event>::from_scan(key)
    })?;
    if latest.len() > limit {
        latest
            .into_iter()
            .take(limit)
            .for_each(|event| transaction.remove(event));
        return Ok(false);
    }
    let verdict = transaction.fetch(&table::verdict(context_key, &address))?;
    let previous_tombstone = transaction.fetch(&table::tombstone(context_key, scope.digest))?;
    if let Some(tombstone) =
        Tombstone::for_erased(&context, verdict.as_ref(), previous_tombstone.as_ref())
    {
        transaction.put(table::tombstone(context_key, scope.digest), &tombstone);
    }
    for table in table::address_tables() {
        visit_record_type(table, RemoveRecords(transaction, context_key, &address))?;
    }
    Ok(true)
}

/// Deletes all tombstones of a context.
pub(in crate::ports) fn delete_tombstones(
    transaction: &mut WriteTransaction<'_>,
    context_key: ContextKey,
) -> Result<(), StoreError> {
    let digests = transaction.collect(
        &table::tombstones(context_key),
        Order::Ascending,
        usize::MAX,
        |key, _| table::tail(key),
    )?;
    for digest in digests.into_iter().flatten() {
        transaction.remove(table::tombstone(context_key, AddressDigest(digest)));
    }
    Ok(())
}
