//! Purge of expired idempotency records, a few with each insert.

use crate::read_records::ReadRecords;
use crate::table::{self, RecordKey, Segment};
use crate::write_transaction::WriteTransaction;
use std::collections::VecDeque;
use voight_domain::metering::IdempotencyRecord;
use voight_domain::ports::StoreError;
use voight_engine::Order;

/// Number of records that are removed with each insert. Expired records never accumulate, and the removal never takes long.
const RECORDS_PER_INSERT: usize = 2;
/// Number of keys that are read at a time. They are in few blocks, which are decoded once.
const KEYS_PER_READ: usize = 64;

/// Purge of one segment, in key order.
///
/// Each read continues after the last key of the one before it. A read from the beginning of the segment would skip all
/// records that the memtable removes, which are thousands under load.
#[derive(Debug, Default)]
pub(super) struct Purge {
    /// Keys of the next records to remove.
    keys: VecDeque<Vec<u8>>,
    /// Last key that was read.
    last: Option<Vec<u8>>,
}

impl Purge {
    /// Removes up to [`RECORDS_PER_INSERT`] records of a segment whose records have all expired. Returns `true` if the
    /// committed segment is empty.
    pub(super) fn run(
        &mut self,
        segment: Segment,
        transaction: &mut WriteTransaction<'_>,
    ) -> Result<bool, StoreError> {
        if self.keys.is_empty() {
            let last_key = self.last.as_deref().map(RecordKey::from_scan);
            let unread_keys = table::idempotency_records_in(segment).after_any(last_key);
            self.keys = transaction
                .collect(&unread_keys, Order::Ascending, KEYS_PER_READ, |key, _| {
                    key.to_vec()
                })?
                .into();
            match self.keys.back() {
                Some(last) => self.last = Some(last.clone()),
                None => return self.finish(segment, transaction),
            }
        }
        for key in self.keys.drain(..RECORDS_PER_INSERT.min(self.keys.len())) {
            transaction.remove(RecordKey::<IdempotencyRecord>::from_scan(&key));
        }
        Ok(false)
    }

    /// Returns `true` if the committed segment is empty. Otherwise a group with removals has failed, and the purge starts
    /// again. Removals of the current group are not committed yet, so only its first command tests this.
    fn finish(
        &mut self,
        segment: Segment,
        transaction: &WriteTransaction<'_>,
    ) -> Result<bool, StoreError> {
        if !transaction.is_first_of_group() {
            return Ok(false);
        }
        self.last = None;
        Ok(transaction
            .committed()
            .list(&table::idempotency_records_in(segment), 1)?
            .is_empty())
    }
}
