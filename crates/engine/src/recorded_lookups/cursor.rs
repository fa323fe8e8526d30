//! Cursor over the records of lookups, in key order.

use super::{ChainedLookup, LedgerTail, RecordedLookups};
use crate::key_value::KeyValue;
use crate::{Order, checksum};
use std::collections::VecDeque;
use std::iter;
use std::ops::Range;
use voight_domain::metering::{IdempotencyRecord, RowKind};
use voight_domain::secrets::IdempotencyDigest;
use voight_encoding::Encode;
use voight_encoding::keyspace::{
    ClientNumber, LedgerPrefix, Segment, Table, idempotency_key, ledger_key, meter_key, prefix_end,
    segment_prefix,
};

/// Cursor over the records of a key range. It encodes one record at a time.
pub(crate) struct RecordCursor<'a> {
    runs: VecDeque<Run<'a>>,
    /// `true` if the values have a checksum, as they are stored.
    has_checksums: bool,
    current: Option<KeyValue>,
}

/// Records of one table with adjacent keys.
struct Run<'a> {
    content: RunContent<'a>,
    /// Records that were not returned yet.
    rest: Range<usize>,
}

enum RunContent<'a> {
    /// Meter of a ledger.
    Meter(LedgerPrefix, &'a LedgerTail),
    /// Rows of a ledger.
    Rows(LedgerPrefix, &'a LedgerTail),
    /// Openings of a ledger.
    Openings(LedgerPrefix, &'a LedgerTail),
    /// Idempotency records, sorted by key.
    Idempotency(Vec<(IdempotencyKey, &'a ChainedLookup)>),
}

/// Creates the records of one table of a ledger.
type RunOfLedger<'a> = fn(LedgerPrefix, &'a LedgerTail) -> RunContent<'a>;

type IdempotencyKey = (Segment, [u8; 4], IdempotencyDigest);

impl RunContent<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Meter(..) => 1,
            Self::Rows(_, tail) | Self::Openings(_, tail) => tail.lookups.len(),
            Self::Idempotency(records) => records.len(),
        }
    }

    fn key(&self, index: usize) -> Vec<u8> {
        match self {
            Self::Meter(ledger, _) => meter_key(*ledger),
            Self::Rows(ledger, tail) => row_key(Table::Row, *ledger, tail, index),
            Self::Openings(ledger, tail) => row_key(Table::Opening, *ledger, tail, index),
            Self::Idempotency(records) => {
                let (segment, client_number, digest) = records[index].0;
                idempotency_key(
                    segment,
                    ClientNumber(u32::from_be_bytes(client_number)),
                    digest,
                )
            }
        }
    }

    fn record(&self, index: usize) -> Vec<u8> {
        match self {
            Self::Meter(_, tail) => tail.meter.encode(),
            Self::Rows(_, tail) => tail.lookups[index].lookup.row.encode(),
            Self::Openings(_, tail) => tail.lookups[index].lookup.opening.encode(),
            Self::Idempotency(records) => {
                let record = records[index].1.idempotency_record();
                record.map_or_else(Vec::new, |(_, _, record): (_, _, IdempotencyRecord)| {
                    record.encode()
                })
            }
        }
    }
}

fn row_key(table: Table, ledger: LedgerPrefix, tail: &LedgerTail, index: usize) -> Vec<u8> {
    let seq = tail.lookups[index].lookup.row.seq;
    ledger_key(table, ledger, seq)
}

impl<'a> RecordCursor<'a> {
    /// Creates a cursor over all values, with their checksums, in ascending order.
    pub(crate) fn all(lookups: &'a RecordedLookups) -> Self {
        Self::new(lookups, &[], &[u8::MAX], Order::Ascending)
    }

    /// Creates a cursor over all encoded records, without checksums, in ascending order.
    pub(crate) fn all_records(lookups: &'a RecordedLookups) -> Self {
        let mut cursor = Self {
            has_checksums: false,
            ..Self::unstarted(lookups, &[], &[u8::MAX])
        };
        cursor.advance(Order::Ascending);
        cursor
    }

    /// Creates a cursor over the values, with their checksums, with `from <= key < to`, in `order`.
    pub(crate) fn new(lookups: &'a RecordedLookups, from: &[u8], to: &[u8], order: Order) -> Self {
        let mut cursor = Self::unstarted(lookups, from, to);
        cursor.advance(order);
        cursor
    }

    fn unstarted(lookups: &'a RecordedLookups, from: &[u8], to: &[u8]) -> Self {
        let mut cursor = Self {
            runs: VecDeque::new(),
            has_checksums: true,
            current: None,
        };
        if lookups.is_empty() || from >= to {
            return cursor;
        }
        let is_touched = |table: Table| from < &[table as u8 + 1][..] && to > &[table as u8][..];
        let tables: [(Table, RunOfLedger<'a>); 3] = [
            (Table::Meter, RunContent::Meter),
            (Table::Row, RunContent::Rows),
            (Table::Opening, RunContent::Openings),
        ];
        for (table, run) in tables {
            if is_touched(table) {
                let (first, last) = ledger_bounds(table, from, to);
                let ledgers = lookups.ledgers.range(first..=last);
                cursor.runs.extend(
                    ledgers.filter_map(|(ledger, tail)| Run::within(run(*ledger, tail), from, to)),
                );
            }
        }
        if is_touched(Table::IdempotencyRecord) {
            cursor.runs.extend(Run::within(
                RunContent::Idempotency(idempotency(lookups, from, to)),
                from,
                to,
            ));
        }
        cursor
    }

    /// Returns key and value of the current record; `None` after the last one.
    pub(crate) fn current(&self) -> Option<(&[u8], &[u8])> {
        self.current
            .as_ref()
            .map(|(key, value)| (key.as_slice(), value.as_slice()))
    }

    /// Returns the remaining records in ascending order.
    pub(crate) fn into_iter(mut self) -> impl Iterator<Item = KeyValue> {
        iter::from_fn(move || {
            let current = self.current.take();
            self.advance(Order::Ascending);
            current
        })
    }

    /// Moves to the next record in `order`.
    pub(crate) fn advance(&mut self, order: Order) {
        self.current = None;
        loop {
            let run = match order {
                Order::Ascending => self.runs.front_mut(),
                Order::Descending => self.runs.back_mut(),
            };
            let Some(run) = run else { return };
            let index = match order {
                Order::Ascending => run.rest.next(),
                Order::Descending => run.rest.next_back(),
            };
            if let Some(index) = index {
                let key = run.content.key(index);
                let record = run.content.record(index);
                let value = if self.has_checksums {
                    checksum::with_checksum(&key, record)
                } else {
                    record
                };
                self.current = Some((key, value));
                return;
            }
            match order {
                Order::Ascending => drop(self.runs.pop_front()),
                Order::Descending => drop(self.runs.pop_back()),
            }
        }
    }
}

impl<'a> Run<'a> {
    /// Restricts a run to the keys of a range. Returns `None` if no record is left.
    fn within(content: RunContent<'a>, from: &[u8], to: &[u8]) -> Option<Self> {
        let count_before = |bound: &[u8]| {
            let mut low = 0;
            let mut high = content.len();
            while low < high {
                let middle = low.midpoint(high);
                if content.key(middle).as_slice() < bound {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            low
        };
        let indexes = count_before(from)..count_before(to);
        (!indexes.is_empty()).then_some(Self {
            content,
            rest: indexes,
        })
    }
}

/// Returns the first and the last ledger of a table that a key range can contain.
fn ledger_bounds(table: Table, from: &[u8], to: &[u8]) -> (LedgerPrefix, LedgerPrefix) {
    let prefix = |key: &[u8], fill: u8| {
        let mut ledger = [fill; size_of::<LedgerPrefix>()];
        let key_prefix = key.get(1..).unwrap_or_default();
        let length = key_prefix.len().min(ledger.len());
        ledger[..length].copy_from_slice(&key_prefix[..length]);
        ledger
    };
    let first = if from.first() == Some(&(table as u8)) {
        prefix(from, 0)
    } else {
        [0; 5]
    };
    let last = if to.first() == Some(&(table as u8)) {
        prefix(to, u8::MAX)
    } else {
        [u8::MAX; 5]
    };
    (first, last.max(first))
}

/// Returns the sorted idempotency records of the segments that a key range can contain.
fn idempotency<'a>(
    lookups: &'a RecordedLookups,
    from: &[u8],
    to: &[u8],
) -> Vec<(IdempotencyKey, &'a ChainedLookup)> {
    let Some((first, last)) = lookups.segments else {
        return Vec::new();
    };
    if prefix_end(&segment_prefix(last)).as_slice() <= from
        || segment_prefix(first).as_slice() >= to
    {
        return Vec::new();
    }
    let mut records = Vec::with_capacity(lookups.idempotency.len());
    for ((client_number, digest), (ledger, seq)) in &lookups.idempotency {
        let chained_lookup = lookups
            .ledgers
            .get(ledger)
            .and_then(|tail| tail.at_seq(*seq));
        if let Some(chained_lookup) = chained_lookup
            && let RowKind::Lookup(_) = chained_lookup.lookup.row.kind
            && let Some(input) = &chained_lookup.lookup.idempotency
        {
            records.push(((input.segment, *client_number, *digest), chained_lookup));
        }
    }
    records.sort_unstable_by_key(|(key, _)| *key);
    records
}
