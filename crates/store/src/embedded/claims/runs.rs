//! The runs that are there.

use super::filter::{SEGMENT_RECORDS, SegmentFilter};
use crate::table::{self, KeyRange, Segment, Table};
use crate::{EngineError, Order, Read, envelope};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use voight_domain::metering::IdempotencyRecord;
use voight_domain::ports::StoreError;
use voight_domain::secrets::IdempotencyDigest;
use voight_domain::vocabulary::Timestamp;

/// Claims that the filter learns at a time; reading them takes as long as looking into a hundred runs.
const FILTER_LOAD_BATCH: usize = 1024;

/// What is known of the runs.
#[derive(Debug, Default)]
pub(super) struct Segments {
    known: BTreeMap<Segment, SegmentState>,
    /// Whose bits are in which place of the filter.
    filter_slots: Vec<Option<Segment>>,
    filter: SegmentFilter,
    /// Those that were there before the process and that the filter does not know whole, with the key that it goes on at.
    unloaded: BTreeMap<Segment, Vec<u8>>,
    /// The one that claims are added to.
    current: Option<Segment>,
}

#[derive(Debug)]
struct SegmentState {
    place: usize,
    /// Claims that the filter has been told of; some twice.
    claims: usize,
}

impl Segments {
    /// Those that are stored. The filter knows none of their claims yet.
    pub(super) fn read(view: &impl Read) -> Result<Self, StoreError> {
        let (mut runs, KeyRange { mut from, to, .. }) = (Self::default(), KeyRange::<IdempotencyRecord>::all());
        while let Some(run) = first_between(view, &from, &to)? {
            let claims = table::idempotency_records_in(run);
            runs.open(run);
            runs.unloaded.insert(run, claims.from);
            from = claims.to;
        }
        Ok(runs)
    }

    /// Tells the filter of some claims that it does not know yet.
    pub(super) fn load_filter(&mut self, view: &impl Read) -> Result<(), EngineError> {
        let Some((&run, from)) = self.unloaded.first_key_value() else { return Ok(()) };
        let Some(known) = self.known.get_mut(&run) else { return Ok(()) };
        let (mut left, mut next) = (FILTER_LOAD_BATCH, None);
        view.range(from, &table::idempotency_records_in(run).to, Order::Ascending, &mut |key, _| {
            if left == 0 {
                next = Some(key.to_vec());
                return ControlFlow::Break(());
            }
            if let Some(digest) = table::tail(key) {
                self.filter.add(known.place, IdempotencyDigest(digest));
            }
            left -= 1;
            ControlFlow::Continue(())
        })?;
        known.claims += FILTER_LOAD_BATCH - left;
        // Only now: what could not be read is still to be learnt.
        match next {
            Some(next) => self.unloaded.insert(run, next),
            None => self.unloaded.remove(&run),
        };
        Ok(())
    }

    /// The runs in which a claim may be.
    pub(super) fn candidates(&self, digest: IdempotencyDigest) -> impl Iterator<Item = Segment> {
        let told = self.filter.candidates(digest).filter_map(|place| *self.filter_slots.get(place)?);
        told.chain(self.unloaded.keys().copied())
    }

    /// Whether the filter knows all claims.
    #[cfg(test)]
    pub(super) fn is_fully_loaded(&self) -> bool {
        self.unloaded.is_empty()
    }

    /// The run to put a claim into that ends then.
    pub(super) fn add(&mut self, digest: IdempotencyDigest, until: Timestamp) -> Segment {
        let has_room = |run: &Segment| {
            run.accepts(until) && self.known.get(run).is_some_and(|known| known.claims < SEGMENT_RECORDS)
        };
        let run = self.current.filter(has_room).unwrap_or(Segment(until));
        let known = self.open(run);
        known.claims += 1;
        let place = known.place;
        self.filter.add(place, digest);
        run
    }

    /// The one that is over first.
    pub(super) fn oldest(&self) -> Option<Segment> {
        self.known.keys().next().copied()
    }

    /// Forgets a run that nothing is left of.
    pub(super) fn remove(&mut self, run: Segment) {
        if let Some(known) = self.known.remove(&run) {
            self.filter.clear(known.place);
            self.filter_slots[known.place] = None;
        }
        self.unloaded.remove(&run);
        self.current = self.current.filter(|current| *current != run);
    }

    /// The run, from now on the one that claims are added to.
    fn open(&mut self, run: Segment) -> &mut SegmentState {
        self.current = Some(run);
        let places = &mut self.filter_slots;
        self.known.entry(run).or_insert_with(|| {
            let free = places.iter().position(Option::is_none).unwrap_or(places.len());
            places.resize(places.len().max(free + 1), None);
            places[free] = Some(run);
            SegmentState { place: free, claims: 0 }
        })
    }
}

/// The run of the first claim between these keys.
fn first_between(view: &impl Read, from: &[u8], to: &[u8]) -> Result<Option<Segment>, StoreError> {
    let mut first = None;
    view.range(from, to, Order::Ascending, &mut |key, _| {
        first = Some(key.to_vec());
        ControlFlow::Break(())
    })?;
    first
        .map(|key| {
            table::decode_claim_key(&key).map(|(run, ..)| run).ok_or_else(|| {
                envelope::corrupt_record(Table::IdempotencyRecord.name(), &key, "its key has a wrong length")
            })
        })
        .transpose()
}
