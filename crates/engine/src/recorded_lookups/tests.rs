use super::*;
use crate::merge::{PendingChanges, visit_merged};
use crate::testing::MapEngine;
use crate::{Batch, Engine as _, EngineError, Order, Read};
use proptest::prelude::*;
use std::ops::ControlFlow;
use std::time::Duration;
use voight_domain::billing::PriceBookDigest;
use voight_domain::codec::{Decoder, Encoder};
use voight_domain::metering::{Commitment, LedgerId, LookupRow, Period, PeriodEnd};
use voight_domain::verdict::Answer;
use voight_domain::vocabulary::{ClientId, EoaAddress};
use voight_encoding::keyspace::{self, ClientNumber, ledger_key, meter_key};

type Entries = BTreeMap<Vec<u8>, Vec<u8>>;

/// Ledgers of tests.
pub(crate) const LEDGERS: [LedgerPrefix; 3] = [[0, 0, 0, 1, 0], [0, 0, 0, 1, 1], [0, 0, 2, 0, 0]];

#[derive(Debug, Clone)]
enum Op {
    /// Records a lookup of a ledger, with an idempotency digest and a segment.
    Lookup(usize, Option<(u8, u8)>),
    /// Sets a cap in the meter of a ledger.
    SetCap(usize, u8),
    /// Removes the opening of a row.
    Forget(usize, u64),
    /// Writes an idempotency record of another command.
    PutIdempotency(usize, u8, u8),
    /// Writes a key of another table.
    Put(u8, u8),
    /// Begins a new batch.
    NextBatch,
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let ledger = 0..LEDGERS.len();
    let op = prop_oneof![
        8 => (ledger.clone(), any::<Option<(u8, u8)>>()).prop_map(|(ledger, key)| Op::Lookup(ledger, key.map(|(digest, segment)| (digest % 16, segment % 3)))),
        1 => (ledger.clone(), any::<u8>()).prop_map(|(ledger, cap)| Op::SetCap(ledger, cap)),
        1 => (ledger.clone(), 1..20_u64).prop_map(|(ledger, seq)| Op::Forget(ledger, seq)),
        1 => (ledger, 0..16_u8, 0..3_u8).prop_map(|(ledger, digest, segment)| Op::PutIdempotency(ledger, digest, segment)),
        1 => (10..45_u8, any::<u8>()).prop_map(|(table, value)| Op::Put(table, value)),
        2 => Just(Op::NextBatch),
    ];
    prop::collection::vec(op, 0..60)
}

/// Returns the meter of a running period without rows.
pub(crate) fn new_meter(client: u8) -> MeterState {
    let period = Period {
        start: Timestamp::from_millis(0),
        end: Timestamp::from_millis(1_000_000),
    };
    MeterState {
        period: Some(period),
        price_book: Some(PriceBookDigest([9; 32])),
        ..MeterState::new(LedgerId::live(ClientId::from_bytes([client; 16])))
    }
}

fn segment(number: u8) -> Segment {
    Segment(Timestamp::from_millis(i64::from(number) * 3_600_000))
}

/// Returns the next lookup of a ledger, with an idempotency digest and a segment if given.
pub(crate) fn lookup(meter: &MeterState, key: Option<(u8, u8)>) -> RecordedLookup {
    let seq = meter.seq + 1;
    let at = Timestamp::from_millis(500);
    let opening = Opening {
        nonce: [7; 16],
        address: EoaAddress::from_bytes([seq.to_be_bytes()[7]; 20]),
    };
    let row = LookupRow {
        context: 1,
        key: 2,
        free: seq < 5,
        answer: Answer::UNKNOWN,
        commitment: Commitment([8; 32]),
        idempotency: key.map(|(digest, _)| IdempotencyDigest([digest; 16])),
        cap: meter.cap,
    };
    let idempotency = key.map(|(digest, number)| LookupIdempotency {
        segment: segment(number),
        parameters: IdempotencyDigest([digest ^ 0x80; 16]),
        expires_at: Timestamp::from_millis(900 + i64::from(digest)),
        detail: (digest % 2 == 0).then_some(Detail::UNKNOWN),
    });
    RecordedLookup {
        row: LedgerRow {
            seq,
            at,
            kind: RowKind::Lookup(row),
        },
        opening,
        idempotency,
    }
}

fn key_of(op: &Op) -> Vec<u8> {
    match *op {
        Op::SetCap(ledger, _) | Op::Lookup(ledger, _) => meter_key(LEDGERS[ledger]),
        Op::Forget(ledger, seq) => ledger_key(Table::Opening, LEDGERS[ledger], seq),
        Op::PutIdempotency(ledger, digest, number) => idempotency_key(ledger, digest, number),
        Op::Put(table, _) => vec![table, 1],
        Op::NextBatch => Vec::new(),
    }
}

/// Returns the key of an idempotency record of [`lookup`].
pub(crate) fn idempotency_key(ledger: usize, digest: u8, number: u8) -> Vec<u8> {
    let client_number = LEDGERS[ledger].first_chunk::<4>().unwrap();
    let client_number = ClientNumber(u32::from_be_bytes(*client_number));
    keyspace::idempotency_key(
        segment(number),
        client_number,
        IdempotencyDigest([digest; 16]),
    )
}

/// Writes the records of a lookup as single changes.
fn put_records(entries: &mut Entries, ledger: usize, lookup: &RecordedLookup, meter: &MeterState) {
    let mut put_record = |key: Vec<u8>, record: Vec<u8>| {
        let value = checksum::with_checksum(&key, record);
        entries.insert(key, value);
    };
    let row_key = |table: Table| ledger_key(table, LEDGERS[ledger], lookup.row.seq);
    put_record(row_key(Table::Row), lookup.row.encode());
    put_record(row_key(Table::Opening), lookup.opening.encode());
    put_record(meter_key(LEDGERS[ledger]), meter.encode());
    let chained_lookup = ChainedLookup {
        lookup: *lookup,
        head: meter.head,
    };
    if let Some((segment, digest, record)) = chained_lookup.idempotency_record() {
        let client_number =
            ClientNumber(u32::from_be_bytes(*LEDGERS[ledger].first_chunk().unwrap()));
        put_record(
            keyspace::idempotency_key(segment, client_number, digest),
            record.encode(),
        );
    }
}

/// Runs the operations on batches, and on a map that holds the records of lookups as single entries.
fn run(ops: &[Op]) -> (Vec<Batch>, Entries) {
    let mut batches = vec![Batch::default()];
    let mut entries = Entries::new();
    let mut meters = [1, 2, 3].map(new_meter);
    let mut idempotency_keys = HashMap::new();
    for op in ops {
        let last = batches.last_mut().unwrap();
        // As in a store, a new idempotency record removes an older one with the same digest.
        let older_key = match *op {
            Op::Lookup(ledger, Some((digest, segment)))
            | Op::PutIdempotency(ledger, digest, segment) => {
                let client = &LEDGERS[ledger][..4];
                idempotency_keys.insert((client, digest), idempotency_key(ledger, digest, segment))
            }
            _ => None,
        };
        if let Some(older) = older_key {
            entries.remove(&older);
            last.remove(older);
        }
        match *op {
            Op::Lookup(ledger, key) => {
                let recorded_lookup = lookup(&meters[ledger], key);
                meters[ledger].apply(&recorded_lookup.row).unwrap();
                put_records(&mut entries, ledger, &recorded_lookup, &meters[ledger]);
                last.record(LEDGERS[ledger], recorded_lookup, meters[ledger]);
            }
            Op::SetCap(ledger, cap) => {
                meters[ledger].cap = Some(cap.into());
                let key = key_of(op);
                let value = checksum::with_checksum(&key, meters[ledger].encode());
                last.put(key.clone(), value.clone());
                entries.insert(key, value);
            }
            Op::Forget(..) => {
                last.remove(key_of(op));
                entries.remove(&key_of(op));
            }
            Op::PutIdempotency(.., value) | Op::Put(_, value) => {
                last.put(key_of(op), vec![value]);
                entries.insert(key_of(op), vec![value]);
            }
            Op::NextBatch => batches.push(Batch::default()),
        }
    }
    (batches, entries)
}

fn entries_of(batch: &Batch) -> Entries {
    let engine = MapEngine::default();
    engine.apply(batch).unwrap();
    scan(
        &engine.snapshot().unwrap(),
        &[],
        &[u8::MAX],
        Order::Ascending,
        usize::MAX,
    )
    .into_iter()
    .collect()
}

fn scan(
    view: &dyn Read,
    from: &[u8],
    to: &[u8],
    order: Order,
    limit: usize,
) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut entries = Vec::new();
    let visit = &mut |key: &[u8], value: &[u8]| {
        entries.push((key.to_vec(), value.to_vec()));
        if entries.len() == limit {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    view.range(from, to, order, visit).unwrap();
    entries
}

struct Pending<'a>(&'a [Batch]);

impl Read for Pending<'_> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        self.0.iter().rev().any(|batch| batch.get(key, visit));
        Ok(())
    }

    fn range(
        &self,
        from: &[u8],
        to: &[u8],
        order: Order,
        visit: &mut crate::EntryVisitor<'_>,
    ) -> Result<(), EngineError> {
        let base = MapEngine::default().snapshot()?;
        visit_merged(
            &base,
            PendingChanges::default().with_batches(self.0),
            from..to,
            order,
            visit,
        )
    }
}

fn encoded(batch: &Batch) -> Vec<u8> {
    let mut out = Encoder::versioned(1);
    batch.lookups().encode(&mut out);
    out.finish()
}

fn logged(bytes: &[u8]) -> LoggedLookups {
    let mut input = Decoder::versioned(bytes, 1).unwrap();
    let lookups = LoggedLookups::decode(&mut input).unwrap();
    input.finish().unwrap();
    lookups
}

proptest! {
    #[test]
    fn recorded_lookups_read_like_records(ops in ops(), bounds: [prop::sample::Index; 2], limit in 1..9_usize) {
        let (batches, expected) = run(&ops);
        prop_assert_eq!(&entries_of(&Batch::merged(&batches)), &expected, "applied as one");
        let view = Pending(&batches);
        for key in expected.keys().cloned().chain(ops.iter().map(key_of)) {
            let mut stored_value = None;
            view.get(&key, &mut |value| stored_value = Some(value.to_vec())).unwrap();
            prop_assert_eq!(stored_value.as_ref(), expected.get(&key));
        }
        let mut edges: Vec<_> = expected.keys().cloned().chain([vec![], vec![u8::MAX], vec![Table::Row as u8]]).collect();
        edges.extend(LEDGERS.map(|ledger| [&[Table::Row as u8], &ledger[..]].concat()));
        let [from, to] = bounds.map(|bound| bound.get(&edges).as_slice());
        let in_range = expected.iter().filter(|(key, _)| from <= key.as_slice() && key.as_slice() < to);
        let ascending: Vec<_> = in_range.map(|(key, value)| (key.clone(), value.clone())).collect();
        let descending = ascending.iter().rev().take(limit).cloned().collect::<Vec<_>>();
        let ascending = ascending.into_iter().take(limit).collect::<Vec<_>>();
        prop_assert_eq!(scan(&view, from, to, Order::Ascending, limit), ascending);
        prop_assert_eq!(scan(&view, from, to, Order::Descending, limit), descending);
    }

    #[test]
    fn replay_restores_logged_lookups(ops in ops()) {
        let (batches, expected) = run(&ops);
        let base = MapEngine::default();
        let mut meters = Batch::default();
        for (ledger, client) in LEDGERS.into_iter().zip([1, 2, 3]) {
            let key = meter_key(ledger);
            let value = checksum::with_checksum(&key, new_meter(client).encode());
            meters.put(key, value);
        }
        base.apply(&meters).unwrap();
        let base = base.snapshot().unwrap();
        let mut replayed_batch = Batch::default();
        for batch in &batches {
            let mut changes = Batch::default();
            changes.extend_changes(batch.changes().clone());
            replayed_batch.extend(changes);
            logged(&encoded(batch)).replay(&mut replayed_batch, &base).unwrap();
        }
        prop_assert_eq!(&entries_of(&replayed_batch), &expected);
    }
}

#[test]
fn entry_size_matches_estimate() {
    let now = Timestamp::from_millis(1_790_000_000_000);
    let start = MeterState {
        seq: 1_000_000,
        period: Some(Period {
            start: now,
            end: now.saturating_add(Duration::from_hours(1)),
        }),
        ..new_meter(1)
    };
    let mut batch = Batch::default();
    let mut meter = start;
    for digest in 0..100 {
        let mut recorded_lookup = lookup(&start, Some((2 * digest + 1, 0)));
        (recorded_lookup.row.seq, recorded_lookup.row.at) = (meter.seq + 1, now);
        let idempotency = recorded_lookup.idempotency.as_mut().unwrap();
        (idempotency.segment, idempotency.expires_at) = (Segment(now), now);
        meter.apply(&recorded_lookup.row).unwrap();
        batch.record(LEDGERS[0], recorded_lookup, meter);
    }
    let bytes = encoded(&batch).len() as u64 / 100;
    assert!(
        (ENTRY_BYTES - 15..=ENTRY_BYTES).contains(&bytes),
        "{bytes} bytes"
    );
}

#[test]
fn log_of_another_database_is_corrupt() {
    let (batches, _) = run(&[Op::Lookup(0, None), Op::NextBatch, Op::Lookup(0, None)]);
    let base = MapEngine::default();
    let corrupt = |result| assert!(matches!(result, Err(EngineError::Corrupt(_))), "{result:?}");
    corrupt(logged(&encoded(&batches[0])).replay(&mut Batch::default(), &base.snapshot().unwrap()));
    let mut meters = Batch::default();
    let key = meter_key(LEDGERS[0]);
    let value = checksum::with_checksum(&key, new_meter(1).encode());
    meters.put(key, value);
    // The second batch without the first one.
    corrupt(logged(&encoded(&batches[1])).replay(&mut meters, &base.snapshot().unwrap()));
}

#[test]
fn invalid_bytes_are_rejected() {
    let (batches, _) = run(&[Op::Lookup(0, Some((2, 0))), Op::Lookup(2, None)]);
    let bytes = encoded(&batches[0]);
    for length in 1..bytes.len() {
        let decode_result = Decoder::versioned(&bytes[..length], 1)
            .and_then(|mut input| LoggedLookups::decode(&mut input));
        assert!(decode_result.is_err(), "{length} of {} bytes", bytes.len());
    }
    let end = PeriodEnd {
        period: new_meter(1).period.unwrap(),
        billable: 1,
        paid: 0,
        book: PriceBookDigest([9; 32]),
    };
    let row = LedgerRow {
        seq: 1,
        at: Timestamp::from_millis(5),
        kind: RowKind::PeriodEnd(end),
    };
    let mut out = Encoder::versioned(1);
    out.uint(1)
        .fixed(&LEDGERS[0])
        .uint(1)
        .bytes(&row.to_bytes())
        .fixed(&[0; 36])
        .u8(0);
    let bytes = out.finish();
    assert!(
        LoggedLookups::decode(&mut Decoder::versioned(&bytes, 1).unwrap()).is_err(),
        "only lookups are logged so"
    );
}
