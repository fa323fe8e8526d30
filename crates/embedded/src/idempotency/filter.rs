//! Bloom filter that tells which segments may contain an idempotency record.

use std::iter;
use voight_domain::secrets::IdempotencyDigest;

/// Target number of records of a segment. A larger segment has more false positives.
pub(super) const SEGMENT_RECORDS: usize = FILTER_ROWS / 32;
/// Number of rows: 32 per record, of which it sets five. A full segment has one false positive in 16,000 lookups. A store
/// has hundreds of segments, and each false positive reads a block of one.
const FILTER_ROWS: usize = 1 << 19;
const HASHES: usize = 5;
/// Number of segments per group: a row is one word, with one bit for each segment.
const SEGMENTS_PER_WORD: usize = u64::BITS as usize;

/// Bloom filters of many segments side by side, so that one row of 64 of them is read at once.
///
/// Burton H. Bloom, *Space/time trade-offs in hash coding with allowable errors* (1970). A digest is a MAC, so its bits
/// serve as hashes.
#[derive(Debug, Default)]
pub(super) struct SegmentFilter {
    groups: Vec<Box<[u64]>>,
}

impl SegmentFilter {
    /// Adds a record to the segment in filter slot `slot`.
    pub(super) fn add(&mut self, slot: usize, digest: IdempotencyDigest) {
        while self.groups.len() <= slot / SEGMENTS_PER_WORD {
            self.groups.push(vec![0; FILTER_ROWS].into());
        }
        for row in rows(digest) {
            self.groups[slot / SEGMENTS_PER_WORD][row] |= bit(slot);
        }
    }

    /// Iterates over the slots of segments that may contain the record; false positives are possible.
    pub(super) fn candidates(&self, digest: IdempotencyDigest) -> impl Iterator<Item = usize> {
        let rows = rows(digest);
        self.groups
            .iter()
            .enumerate()
            .flat_map(move |(group, words)| {
                let mut segments = u64::MAX;
                for row in rows {
                    segments &= words[row];
                    if segments == 0 {
                        break;
                    }
                }
                iter::from_fn(move || {
                    let lowest = segments.trailing_zeros() as usize;
                    // Clears the lowest bit.
                    segments &= segments.checked_sub(1)?;
                    Some(group * SEGMENTS_PER_WORD + lowest)
                })
            })
    }

    /// Clears the slot of a segment.
    pub(super) fn clear(&mut self, slot: usize) {
        for word in self
            .groups
            .get_mut(slot / SEGMENTS_PER_WORD)
            .into_iter()
            .flatten()
        {
            *word &= !bit(slot);
        }
    }
}

const fn bit(slot: usize) -> u64 {
    1 << (slot % SEGMENTS_PER_WORD)
}

/// Returns the rows of a record, each from three bytes of its digest.
fn rows(digest: IdempotencyDigest) -> [usize; HASHES] {
    std::array::from_fn(|mark| {
        let [a, b, c] = [0, 1, 2].map(|offset| usize::from(digest.0[3 * mark + offset]));
        (a << 16 | b << 8 | c) % FILTER_ROWS
    })
}
