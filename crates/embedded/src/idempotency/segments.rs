//! In-memory index of the idempotency segments.

use super::filter::{SEGMENT_RECORDS, SegmentFilter};
use super::purge::Purge;
use crate::read_records::corrupt_record;
use crate::table::{self, KeyRange, Segment, Table};
use crate::write_transaction::WriteTransaction;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use voight_domain::metering::IdempotencyRecord;
use voight_domain::ports::StoreError;
use voight_domain::secrets::IdempotencyDigest;
use voight_domain::vocabulary::Timestamp;
use voight_engine::{EngineError, Order, Read};

/// Number of records that the filter loads at a time. Reading them takes as long as searching a hundred segments.
const FILTER_LOAD_BATCH: usize = 1024;

/// Index of all segments.
#[derive(Debug, Default)]
pub(super) struct Segments {
    known: BTreeMap<Segment, SegmentState>,
    /// Segment of each filter slot.
    filter_slots: Vec<Option<Segment>>,
    filter: SegmentFilter,
    /// Segments that the filter does not fully cover, with the key at which loading continues. They are from before the
    /// process started.
    unloaded: BTreeMap<Segment, Vec<u8>>,
    /// Segment that accepts new records.
    current: Option<Segment>,
}

#[derive(Debug)]
struct SegmentState {
    slot: usize,
    /// Number of records added to the filter, some of them twice.
    records: usize,
    /// Progress of the purge, which begins when the segment has expired.
    purge: Purge,
}

impl Segments {
    /// Reads the stored segments. The filter contains none of their records yet.
    pub(super) fn read(view: &impl Read) -> Result<Self, StoreError> {
        let mut segments = Self::default();
        let KeyRange { mut from, to, .. } = KeyRange::<IdempotencyRecord>::all();
        while let Some(segment) = first_between(view, &from, &to)? {
            let records = table::idempotency_records_in(segment);
            segments.open(segment);
            segments.unloaded.insert(segment, records.from);
            from = records.to;
        }
        Ok(segments)
    }

    /// Loads up to `FILTER_LOAD_BATCH` records of a segment into the filter.
    pub(super) fn load_filter(&mut self, view: &impl Read) -> Result<(), EngineError> {
        let Some((&segment, from)) = self.unloaded.first_key_value() else {
            return Ok(());
        };
        let Some(segment_state) = self.known.get_mut(&segment) else {
            return Ok(());
        };
        let mut remaining_records = FILTER_LOAD_BATCH;
        let mut next = None;
        view.range(
            from,
            &table::idempotency_records_in(segment).to,
            Order::Ascending,
            &mut |key, _| {
                if remaining_records == 0 {
                    next = Some(key.to_vec());
                    return ControlFlow::Break(());
                }
                if let Some(digest) = table::tail(key) {
                    self.filter
                        .add(segment_state.slot, IdempotencyDigest(digest));
                }
                remaining_records -= 1;
                ControlFlow::Continue(())
            },
        )?;
        segment_state.records += FILTER_LOAD_BATCH - remaining_records;
        // Updated last: after a failed read the same records are loaded again.
        match next {
            Some(next) => self.unloaded.insert(segment, next),
            None => self.unloaded.remove(&segment),
        };
        Ok(())
    }

    /// Iterates over the segments that may contain a record.
    pub(super) fn candidates(&self, digest: IdempotencyDigest) -> impl Iterator<Item = Segment> {
        let candidates = self
            .filter
            .candidates(digest)
            .filter_map(|slot| *self.filter_slots.get(slot)?);
        candidates.chain(self.unloaded.keys().copied())
    }

    /// Returns `true` if the filter covers all records.
    #[cfg(test)]
    pub(super) fn is_fully_loaded(&self) -> bool {
        self.unloaded.is_empty()
    }

    /// Returns the segment for a record that expires at `until`, and adds the record to the filter.
    pub(super) fn add(&mut self, digest: IdempotencyDigest, until: Timestamp) -> Segment {
        let has_room = |segment: &Segment| {
            segment.accepts(until)
                && self
                    .known
                    .get(segment)
                    .is_some_and(|segment_state| segment_state.records < SEGMENT_RECORDS)
        };
        let segment = self.current.filter(has_room).unwrap_or(Segment(until));
        let segment_state = self.open(segment);
        segment_state.records += 1;
        let slot = segment_state.slot;
        self.filter.add(slot, digest);
        segment
    }

    /// Purges a few records of the oldest segment, if the whole segment expired before `expiry_limit`.
    pub(super) fn purge_expired(
        &mut self,
        transaction: &mut WriteTransaction<'_>,
        expiry_limit: Timestamp,
    ) -> Result<(), StoreError> {
        if let Some(mut oldest) = self.known.first_entry()
            && let segment = *oldest.key()
            && segment.is_expired(expiry_limit)
            && oldest.get_mut().purge.run(segment, transaction)?
        {
            self.remove(segment);
        }
        Ok(())
    }

    /// Removes an empty segment from the index.
    fn remove(&mut self, segment: Segment) {
        if let Some(segment_state) = self.known.remove(&segment) {
            self.filter.clear(segment_state.slot);
            self.filter_slots[segment_state.slot] = None;
        }
        self.unloaded.remove(&segment);
        self.current = self.current.filter(|current| *current != segment);
    }

    /// Makes `segment` the current segment, and adds it to the index if it is new.
    fn open(&mut self, segment: Segment) -> &mut SegmentState {
        self.current = Some(segment);
        let slots = &mut self.filter_slots;
        self.known.entry(segment).or_insert_with(|| {
            let free = slots
                .iter()
                .position(Option::is_none)
                .unwrap_or(slots.len());
            slots.resize(slots.len().max(free + 1), None);
            slots[free] = Some(segment);
            SegmentState {
                slot: free,
                records: 0,
                purge: Purge::default(),
            }
        })
    }
}

/// Returns the segment of the first record in a key range.
fn first_between(view: &impl Read, from: &[u8], to: &[u8]) -> Result<Option<Segment>, StoreError> {
    let mut first = None;
    view.range(from, to, Order::Ascending, &mut |key, _| {
        first = Some(key.to_vec());
        ControlFlow::Break(())
    })?;
    first
        .map(|key| {
            table::parse_idempotency_key(&key)
                .map(|(segment, ..)| segment)
                .ok_or_else(|| {
                    corrupt_record(
                        Table::IdempotencyRecord.name(),
                        &key,
                        "its key has a wrong length",
                    )
                })
        })
        .transpose()
}
