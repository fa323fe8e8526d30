//! Typed entries of recorded lookups.
//!
//! Nearly every write of a store is a lookup that appends one row to a ledger. Its four records (row, opening, meter,
//! idempotency record) follow from one entry of about 130 bytes, so the writer, the write-ahead log and the memtable
//! hold the entry. Readers see the records, which are encoded when they are read; a checkpoint encodes all of them,
//! but only one meter for each ledger.

mod cursor;
mod encoding;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use cursor::RecordCursor;
pub(crate) use encoding::LoggedLookups;

use crate::checksum;
use crate::chunked_vec::ChunkedVec;
use crate::key_value::KeyValue;
use foldhash::fast::RandomState;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use voight_domain::metering::{
    ChainHead, IdempotencyRecord, LedgerRow, MeterState, Opening, RecordedAnswer, RecordedResponse,
    RowKind,
};
use voight_domain::secrets::IdempotencyDigest;
use voight_domain::verdict::Detail;
use voight_domain::vocabulary::Timestamp;
use voight_encoding::Encode;
use voight_encoding::keyspace::{LedgerPrefix, Segment, Table, parse_idempotency_key};

/// Bytes of an encoded entry with an idempotency record and without a detail. Used as an estimate.
pub(crate) const ENTRY_BYTES: u64 = 140;

/// Lookup whose only change to its ledger is one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedLookup {
    /// The row.
    pub row: LedgerRow,
    /// The opening of the row's commitment.
    pub opening: Opening,
    /// The rest of the idempotency record, if the row has an idempotency digest.
    pub idempotency: Option<LookupIdempotency>,
}

/// Part of an idempotency record that does not follow from the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LookupIdempotency {
    /// The segment that stores the record.
    pub segment: Segment,
    /// The digest of the request parameters.
    pub parameters: IdempotencyDigest,
    /// The end of the replay.
    pub expires_at: Timestamp,
    /// The detail of the answer, if it was requested.
    pub detail: Option<Detail>,
}

/// Recorded lookup with the chain head after its row.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ChainedLookup {
    lookup: RecordedLookup,
    head: ChainHead,
}

impl ChainedLookup {
    /// Returns the idempotency record with its segment and digest.
    fn idempotency_record(&self) -> Option<(Segment, IdempotencyDigest, IdempotencyRecord)> {
        let RecordedLookup {
            row, idempotency, ..
        } = &self.lookup;
        let (RowKind::Lookup(lookup), Some(input)) = (&row.kind, idempotency) else {
            return None;
        };
        let answer = RecordedAnswer {
            answer: lookup.answer,
            seq: row.seq,
            head: self.head,
            detail: input.detail,
        };
        let record = IdempotencyRecord {
            parameters: input.parameters,
            answer: RecordedResponse::Lookup(answer),
            expires_at: input.expires_at,
        };
        Some((input.segment, lookup.idempotency?, record))
    }
}

/// Rows at the end of one ledger, in order and without a gap.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LedgerTail {
    /// Meter after the last row.
    meter: MeterState,
    lookups: ChunkedVec<ChainedLookup>,
}

impl LedgerTail {
    fn first_seq(&self) -> u64 {
        self.lookups
            .get(0)
            .map_or(self.meter.seq + 1, |first| first.lookup.row.seq)
    }

    fn at_seq(&self, seq: u64) -> Option<&ChainedLookup> {
        self.lookups
            .get(usize::try_from(seq.checked_sub(self.first_seq())?).ok()?)
    }
}

/// Lookups at the ends of any number of ledgers.
#[derive(Debug, Clone, Default)]
pub(crate) struct RecordedLookups {
    ledgers: BTreeMap<LedgerPrefix, LedgerTail>,
    /// Ledger and row of each idempotency record, by client number and digest.
    idempotency: HashMap<([u8; 4], IdempotencyDigest), (LedgerPrefix, u64), RandomState>,
    /// Range of the segments of these records; `None` if there are none.
    segments: Option<(Segment, Segment)>,
    count: usize,
}

/// The other fields follow from the ledgers.
impl PartialEq for RecordedLookups {
    fn eq(&self, other: &Self) -> bool {
        self.ledgers == other.ledgers
    }
}

impl Eq for RecordedLookups {}

impl RecordedLookups {
    /// Returns the number of lookups.
    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    /// Returns `true` if there are no lookups.
    pub(crate) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the meter after the last row of a ledger, if there are lookups of it.
    pub(crate) fn meter(&self, ledger: LedgerPrefix) -> Option<&MeterState> {
        self.ledgers.get(&ledger).map(|tail| &tail.meter)
    }

    /// Adds the lookup whose row `meter` has just counted. An older idempotency record with the same digest must have
    /// been removed.
    pub(crate) fn push(&mut self, ledger: LedgerPrefix, lookup: RecordedLookup, meter: MeterState) {
        if let (Some(input), RowKind::Lookup(row)) = (&lookup.idempotency, &lookup.row.kind)
            && let Some(digest) = row.idempotency
        {
            let [a, b, c, d, _] = ledger;
            self.idempotency
                .insert(([a, b, c, d], digest), (ledger, lookup.row.seq));
            self.include_segments(input.segment, input.segment);
        }
        self.count += 1;
        let chained_lookup = ChainedLookup {
            lookup,
            head: meter.head,
        };
        match self.ledgers.get_mut(&ledger) {
            Some(tail) => {
                debug_assert_eq!(
                    tail.meter.seq + 1,
                    chained_lookup.lookup.row.seq,
                    "rows of a ledger have no gap"
                );
                tail.meter = meter;
                tail.lookups.push(chained_lookup);
            }
            None => drop(self.ledgers.insert(
                ledger,
                LedgerTail {
                    meter,
                    lookups: ChunkedVec::from_iter([chained_lookup]),
                },
            )),
        }
    }

    /// Adds later lookups.
    pub(crate) fn extend(&mut self, later: Self) {
        if self.is_empty() {
            *self = later;
            return;
        }
        for (ledger, later) in later.ledgers {
            match self.ledgers.entry(ledger) {
                Entry::Vacant(entry) => drop(entry.insert(later)),
                Entry::Occupied(mut entry) => {
                    let tail = entry.get_mut();
                    debug_assert_eq!(
                        tail.meter.seq + 1,
                        later.first_seq(),
                        "rows of a ledger have no gap"
                    );
                    tail.meter = later.meter;
                    tail.lookups.extend(later.lookups);
                }
            }
        }
        self.idempotency.extend(later.idempotency);
        if let Some((first, last)) = later.segments {
            self.include_segments(first, last);
        }
        self.count += later.count;
    }

    fn include_segments(&mut self, from: Segment, to: Segment) {
        let (first, last) = self.segments.unwrap_or((from, to));
        self.segments = Some((first.min(from), last.max(to)));
    }

    /// Returns `true` if a change of `key` could be overwritten by these lookups, though it was made after them.
    pub(crate) fn shadows(&self, key: &[u8]) -> bool {
        match Table::of_key(key) {
            Some(Table::Meter | Table::Row | Table::Opening) => key[1..]
                .first_chunk()
                .is_some_and(|ledger: &LedgerPrefix| self.ledgers.contains_key(ledger)),
            Some(Table::IdempotencyRecord) => self.find_idempotency(key).is_some(),
            _ => false,
        }
    }

    /// Passes the value of a record to `visit`. Returns `false` if these lookups do not write the record.
    pub(crate) fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> bool {
        let Some(record) = self.encoded(key) else {
            return false;
        };
        visit(&checksum::with_checksum(key, record));
        true
    }

    fn encoded(&self, key: &[u8]) -> Option<Vec<u8>> {
        if self.is_empty() {
            return None;
        }
        let tail = |key: &[u8]| {
            key[1..]
                .first_chunk()
                .and_then(|ledger: &LedgerPrefix| self.ledgers.get(ledger))
        };
        let row =
            |key: &[u8]| tail(key)?.at_seq(key.last_chunk().copied().map(u64::from_be_bytes)?);
        match Table::of_key(key)? {
            Table::Meter => tail(key).map(|tail| tail.meter.encode()),
            Table::Row => row(key).map(|chained_lookup| chained_lookup.lookup.row.encode()),
            Table::Opening => row(key).map(|chained_lookup| chained_lookup.lookup.opening.encode()),
            Table::IdempotencyRecord => {
                let (_, _, record) = self.find_idempotency(key)?.idempotency_record()?;
                Some(record.encode())
            }
            _ => None,
        }
    }

    fn find_idempotency(&self, key: &[u8]) -> Option<&ChainedLookup> {
        let (segment, client_number, digest) = parse_idempotency_key(key)?;
        let (ledger, seq) = self
            .idempotency
            .get(&(client_number.0.to_be_bytes(), digest))?;
        let chained_lookup = self.ledgers.get(ledger)?.at_seq(*seq)?;
        (chained_lookup.lookup.idempotency?.segment == segment).then_some(chained_lookup)
    }

    /// Iterates over the values of all records, in key order.
    pub(crate) fn values(&self) -> impl Iterator<Item = KeyValue> {
        RecordCursor::all(self).into_iter()
    }
}
