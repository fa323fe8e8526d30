//! Idempotency records in time-partitioned segments.
//!
//! A record is found by a digest and stored for two days, and nearly every lookup adds one. Sorted by digest, each new
//! record would change a page of its own. Records are therefore stored in segments: a segment accepts records until it
//! is full or an hour has passed, and is sorted by digest. New records thus change few pages, often the same ones, and
//! expired segments are removed from the front.
//!
//! Trade-off: the digest does not tell which segment holds a record. A Bloom filter in memory narrows the search;
//! segments that the filter does not fully cover are always searched. The filter only saves work: results always come
//! from stored records.

mod filter;
mod purge;
mod segments;

#[cfg(test)]
mod tests;

use crate::read_records::ReadRecords;
use crate::table::{self, ClientNumber, Segment};
use crate::write_transaction::WriteTransaction;
use segments::Segments;
use std::sync::{Mutex, MutexGuard, PoisonError};
use voight_domain::metering::IdempotencyRecord;
use voight_domain::ports::StoreError;
use voight_domain::retention::EXPIRY_GRACE;
use voight_domain::secrets::IdempotencyDigest;
use voight_domain::vocabulary::Timestamp;

/// Table of idempotency records. Only the writer thread uses it.
#[derive(Debug, Default)]
pub(crate) struct IdempotencyTable {
    /// Index of the segments; `None` until first used.
    segments: Mutex<Option<Segments>>,
}

impl IdempotencyTable {
    /// Returns the record of a client and a digest, even if it is expired.
    pub(crate) fn find(
        &self,
        transaction: &WriteTransaction<'_>,
        client_number: ClientNumber,
        digest: IdempotencyDigest,
    ) -> Result<Option<IdempotencyRecord>, StoreError> {
        Ok(self
            .locate(transaction, client_number, digest)?
            .map(|(_, record)| record))
    }

    /// Returns the same as [`find`](Self::find), with the segment of the record.
    pub(crate) fn locate(
        &self,
        transaction: &WriteTransaction<'_>,
        client_number: ClientNumber,
        digest: IdempotencyDigest,
    ) -> Result<Option<(Segment, IdempotencyRecord)>, StoreError> {
        let mut segments = self.lock();
        let segments = loaded_segments(&mut segments, transaction)?;
        segments.load_filter(transaction)?;
        for segment in segments.candidates(digest) {
            if let Some(record) =
                transaction.fetch(&table::idempotency_record(segment, client_number, digest))?
            {
                return Ok(Some((segment, record)));
            }
        }
        Ok(None)
    }

    /// Stores a record and replaces an older one with the same digest.
    pub(crate) fn put(
        &self,
        transaction: &mut WriteTransaction<'_>,
        client_number: ClientNumber,
        digest: IdempotencyDigest,
        record: &IdempotencyRecord,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let older = self
            .locate(transaction, client_number, digest)?
            .map(|(segment, _)| segment);
        let segment = self.reserve(
            transaction,
            client_number,
            digest,
            older,
            record.expires_at,
            now,
        )?;
        transaction.put(
            table::idempotency_record(segment, client_number, digest),
            record,
        );
        Ok(())
    }

    /// Returns the segment for a new record, which the caller must write. Removes the record with the same digest from the
    /// segment `older`, where [`locate`](Self::locate) has found it, and purges some expired records.
    pub(crate) fn reserve(
        &self,
        transaction: &mut WriteTransaction<'_>,
        client_number: ClientNumber,
        digest: IdempotencyDigest,
        older: Option<Segment>,
        expires_at: Timestamp,
        now: Timestamp,
    ) -> Result<Segment, StoreError> {
        let mut segments = self.lock();
        let segments = loaded_segments(&mut segments, transaction)?;
        segments.purge_expired(transaction, now.saturating_sub(EXPIRY_GRACE))?;
        if let Some(older) = older {
            transaction.remove(table::idempotency_record(older, client_number, digest));
        }
        Ok(segments.add(digest, expires_at))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Segments>> {
        self.segments.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn loaded_segments<'a>(
    segments: &'a mut Option<Segments>,
    transaction: &WriteTransaction<'_>,
) -> Result<&'a mut Segments, StoreError> {
    let loaded_segments = match segments.take() {
        Some(loaded_segments) => loaded_segments,
        None => Segments::read(transaction)?,
    };
    Ok(segments.insert(loaded_segments))
}
