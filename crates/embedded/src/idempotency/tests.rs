use super::filter::{SEGMENT_RECORDS, SegmentFilter};
use super::*;
use proptest::prelude::*;
use std::cell::Cell;
use std::collections::HashMap;
use voight_domain::metering::{IdempotencyInput, RecordedResponse};
use voight_domain::vocabulary::ContextId;
use voight_engine::testing::FaultyEngine;
use voight_engine::{Batch, Engine, EngineError, EntryVisitor, Order, Read};

const CLIENT: ClientNumber = ClientNumber(1);
const HOUR: i64 = 3_600_000;

fn digest(number: u64) -> IdempotencyDigest {
    let mut short = [0; 16];
    short.copy_from_slice(&blake3::hash(&number.to_be_bytes()).as_bytes()[..16]);
    IdempotencyDigest(short)
}

fn stored(number: u64, now: Timestamp) -> IdempotencyRecord {
    let input = IdempotencyInput {
        key_digest: digest(number),
        fingerprint: IdempotencyDigest([0; 16]),
    };
    IdempotencyRecord::new(
        &input,
        RecordedResponse::Context(ContextId::new(&"quest".parse().unwrap(), now, [1; 10])),
        now,
    )
}

fn timestamp(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

/// Engine with the idempotency table of one process.
#[derive(Default)]
struct IdempotencyFixture {
    engine: FaultyEngine,
    records: IdempotencyTable,
}

impl IdempotencyFixture {
    /// Stores records in one group, which is committed if `is_committed`.
    fn make(&self, numbers: impl IntoIterator<Item = u64>, now: Timestamp, is_committed: bool) {
        let group = self.group(&self.engine.snapshot().unwrap(), numbers, now);
        if is_committed {
            self.engine.apply(&group).unwrap();
        }
    }

    /// Returns the writes of a group that stores records.
    fn group(
        &self,
        view: &dyn Read,
        numbers: impl IntoIterator<Item = u64>,
        now: Timestamp,
    ) -> Batch {
        let mut group = Batch::default();
        for number in numbers {
            let mut transaction = WriteTransaction::new(view, &group);
            self.records
                .put(
                    &mut transaction,
                    CLIENT,
                    digest(number),
                    &stored(number, now),
                    now,
                )
                .unwrap();
            transaction.into_writes().add_to(&mut group);
        }
        group
    }

    fn find(&self, number: u64) -> Option<IdempotencyRecord> {
        let snapshot = self.engine.snapshot().unwrap();
        let group = Batch::default();
        self.records
            .find(
                &WriteTransaction::new(&snapshot, &group),
                CLIENT,
                digest(number),
            )
            .unwrap()
    }

    fn is_kept(&self, number: u64) -> bool {
        self.find(number).is_some()
    }

    /// Reopens the engine as another process would.
    fn reopened(self) -> Self {
        Self {
            engine: self.engine,
            records: IdempotencyTable::default(),
        }
    }

    /// Returns the number of records in each stored segment.
    fn segments(&self) -> Vec<usize> {
        let mut segments: Vec<(Segment, usize)> = Vec::new();
        for key in self.engine.entries().keys() {
            let (segment, ..) = table::parse_idempotency_key(key).unwrap();
            match segments.last_mut().filter(|(last, _)| *last == segment) {
                Some((_, records)) => *records += 1,
                None => segments.push((segment, 1)),
            }
        }
        segments.into_iter().map(|(_, records)| records).collect()
    }
}

#[test]
fn expired_records_are_deleted_unless_renewed() {
    let fixture = IdempotencyFixture::default();
    for (number, millis) in [(1, 0), (2, 1), (2, 30 * HOUR), (3, 49 * HOUR - 1)] {
        fixture.make([number], timestamp(millis), true);
    }
    assert!(
        fixture.is_kept(1),
        "the last record of its segment may have expired at most a day ago"
    );
    fixture.make([4], timestamp(49 * HOUR), true);
    assert_eq!(
        [1, 2, 3, 4].map(|number| fixture.is_kept(number)),
        [false, true, true, true]
    );
    assert_eq!(
        fixture.engine.entries().len(),
        3,
        "nothing else is left of them"
    );
}

#[test]
fn renewed_record_exists_once() {
    let fixture = IdempotencyFixture::default();
    fixture.make([1], timestamp(0), true);
    fixture.make([1], timestamp(25 * HOUR), true);
    assert_eq!(fixture.find(1), Some(stored(1, timestamp(25 * HOUR))));
    assert_eq!(fixture.segments(), [1]);
}

#[test]
fn full_or_hour_old_segment_accepts_no_records() {
    let fixture = IdempotencyFixture::default();
    let full = SEGMENT_RECORDS as u64;
    fixture.make(0..full, timestamp(0), true);
    fixture.make(full..full + 3, timestamp(1), true);
    fixture.make([full + 3], timestamp(HOUR), true);
    fixture.make([full + 4], timestamp(HOUR + 1), true);
    assert_eq!(fixture.segments(), [SEGMENT_RECORDS, 4, 1]);
    assert!(
        [0, full - 1, full, full + 4]
            .into_iter()
            .all(|number| fixture.is_kept(number))
    );
    assert!(!fixture.is_kept(full + 5));
}

#[test]
fn each_insert_purges_two_expired_records() {
    let fixture = IdempotencyFixture::default();
    fixture.make(0..10, timestamp(0), true);
    fixture.make(10..13, timestamp(49 * HOUR), true);
    assert_eq!(fixture.segments(), [4, 3], "two for each that is added");
    fixture.make(13..20, timestamp(49 * HOUR), true);
    assert_eq!(fixture.segments(), [10]);
    fixture.make([20], timestamp(50 * HOUR), true);
    let segments = fixture.records.lock();
    assert_eq!(
        segments
            .as_ref()
            .unwrap()
            .candidates(digest(20))
            .collect::<Vec<_>>()
            .len(),
        1
    );
    assert_eq!(segments.as_ref().unwrap().candidates(digest(0)).count(), 0);
}

/// View that counts the entries that scans visit.
struct CountingView<V> {
    inner: V,
    visited: Cell<usize>,
}

impl<V: Read> Read for CountingView<V> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        self.inner.get(key, visit)
    }

    fn range(
        &self,
        from: &[u8],
        to: &[u8],
        order: Order,
        visit: &mut EntryVisitor<'_>,
    ) -> Result<(), EngineError> {
        self.inner.range(from, to, order, &mut |key, value| {
            self.visited.set(self.visited.get() + 1);
            visit(key, value)
        })
    }
}

#[test]
fn purge_reads_each_record_once() {
    let fixture = IdempotencyFixture::default();
    fixture.make(0..2000, timestamp(0), true);
    let view = CountingView {
        inner: fixture.engine.snapshot().unwrap(),
        visited: Cell::new(0),
    };
    let group = fixture.group(&view, 2000..2900, timestamp(49 * HOUR));
    assert_eq!(
        group
            .changes()
            .values()
            .filter(|change| change.value().is_none())
            .count(),
        1800
    );
    assert!(
        view.visited.get() <= 2000,
        "{} entries were visited",
        view.visited.get()
    );
}

#[test]
fn purge_is_repeated_after_a_failed_group() {
    let fixture = IdempotencyFixture::default();
    fixture.make(0..2, timestamp(0), true);
    // The second record sees an empty segment, although the removals are not committed.
    fixture.make(2..4, timestamp(49 * HOUR), false);
    assert_eq!(fixture.segments(), [2]);
    assert!(!fixture.is_kept(2));
    fixture.make(2..4, timestamp(49 * HOUR), true);
    assert_eq!(fixture.segments(), [2]);
    assert!(fixture.is_kept(2) && !fixture.is_kept(0));
}

#[test]
fn records_are_found_during_filter_loading() {
    let mut fixture = IdempotencyFixture::default();
    let full = SEGMENT_RECORDS as u64;
    let total = SEGMENT_RECORDS as u64 + 100;
    fixture.make(0..full, timestamp(0), true);
    fixture.make(full..total, timestamp(1), true);
    fixture = fixture.reopened();
    assert!(
        [0, total - 1]
            .into_iter()
            .all(|number| fixture.is_kept(number))
            && !fixture.is_kept(total)
    );
    // Each lookup loads more records into the filter.
    assert!((0..full).all(|number| fixture.is_kept(number)));
    assert!(fixture.records.lock().as_ref().unwrap().is_fully_loaded());
    assert!((0..total).all(|number| fixture.is_kept(number)));
    fixture.make(total..total + 10, timestamp(2), true);
    assert_eq!(
        fixture.segments(),
        [SEGMENT_RECORDS, 110],
        "new records are added to the last segment"
    );
}

/// View whose reads all fail.
struct Unreadable;

impl Read for Unreadable {
    fn get(&self, _: &[u8], _: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        Err(EngineError::Stale)
    }

    fn range(
        &self,
        _: &[u8],
        _: &[u8],
        _: Order,
        _: &mut EntryVisitor<'_>,
    ) -> Result<(), EngineError> {
        Err(EngineError::Stale)
    }
}

#[test]
fn failed_read_leaves_segment_unloaded() {
    let fixture = IdempotencyFixture::default();
    fixture.make([1], timestamp(0), true);
    let view = fixture.engine.snapshot().unwrap();
    let mut segments = Segments::read(&view).unwrap();
    assert_eq!(segments.load_filter(&Unreadable), Err(EngineError::Stale));
    assert_eq!(
        segments.candidates(digest(1)).count(),
        1,
        "a candidate is ruled out before it is read"
    );
    assert_eq!(segments.candidates(digest(2)).count(), 1);
    segments.load_filter(&view).unwrap();
    assert_eq!(
        [1, 2].map(|number| segments.candidates(digest(number)).count()),
        [1, 0]
    );
}

#[test]
fn records_are_found_after_clock_rollback() {
    let fixture = IdempotencyFixture::default();
    fixture.make([1], timestamp(20 * HOUR), true);
    fixture.make([2], timestamp(0), true);
    fixture.make([3], timestamp(20 * HOUR), true);
    assert_eq!(fixture.segments(), [1, 2]);
    assert!([1, 2, 3].into_iter().all(|number| fixture.is_kept(number)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Finds the last committed record for any sequence of inserts, restarts and failed groups.
    #[test]
    fn committed_records_are_found(
        steps in prop::collection::vec((prop::collection::vec(0..30_u64, 0..8), 0..4_i64, 0..6_u8), 0..40)
    ) {
        let mut fixture = IdempotencyFixture::default();
        let mut model = HashMap::new();
        let mut now = 0;
        for (numbers, hours, fate) in steps {
            now += hours * HOUR;
            fixture.make(numbers.iter().copied(), timestamp(now), fate != 0);
            if fate != 0 {
                model.extend(numbers.into_iter().map(|number| (number, now)));
            }
            if fate == 1 {
                fixture = fixture.reopened();
            }
            for number in 0..30 {
                let written_at = model.get(&number).copied();
                let record = fixture.find(number);
                match written_at {
                    Some(written_at) if now <= written_at + 48 * HOUR => prop_assert_eq!(record, Some(stored(number, timestamp(written_at)))),
                    _ => prop_assert!(record.is_none_or(|candidate| Some(candidate) == written_at.map(|written_at| stored(number, timestamp(written_at))))),
                }
            }
        }
    }
}

#[test]
fn false_positive_rate_of_a_full_segment_is_low() {
    let mut filter = SegmentFilter::default();
    let full = SEGMENT_RECORDS as u64;
    for number in 0..full {
        filter.add(70, digest(number));
    }
    assert!((0..full).all(|number| filter.candidates(digest(number)).eq([70])));
    let false_positives = (full..full + 500_000)
        .filter(|number| filter.candidates(digest(*number)).next().is_some())
        .count();
    assert!(
        (15..60).contains(&false_positives),
        "{false_positives} of 500,000"
    );
    filter.clear(70);
    assert!((0..full).all(|number| filter.candidates(digest(number)).next().is_none()));
}
