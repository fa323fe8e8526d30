//! In which runs a claim may be.

use voight_domain::secrets::IdempotencyDigest;

/// The claims that a run is meant to hold. More may be in it; then it is looked into in vain more often.
pub(super) const SEGMENT_RECORDS: usize = FILTER_ROWS / 16;
/// Sixteen rows for each claim, of which it marks five: a full run is looked into in vain once in 700 times.
const FILTER_ROWS: usize = 1 << 18;
const HASHES: usize = 5;
/// The runs of a group: a row is a word, and each run has a bit of it.
const SEGMENTS_PER_WORD: usize = u64::BITS as usize;

/// Bloom filters of many runs side by side, so that the same row of 64 of them is read at once.
///
/// Burton H. Bloom, *Space/time trade-offs in hash coding with allowable errors* (1970). A digest is a MAC, so its bits are
/// as good as any hash of it.
#[derive(Debug, Default)]
pub(super) struct SegmentFilter {
    groups: Vec<Box<[u64]>>,
}

impl SegmentFilter {
    /// Says that the claim may be in the run at this place.
    pub(super) fn add(&mut self, place: usize, digest: IdempotencyDigest) {
        while self.groups.len() <= place / SEGMENTS_PER_WORD {
            self.groups.push(vec![0; FILTER_ROWS].into());
        }
        for row in rows(digest) {
            self.groups[place / SEGMENTS_PER_WORD][row] |= bit(place);
        }
    }

    /// The places of runs in which the claim may be: each is, or is not with a small probability.
    pub(super) fn candidates(&self, digest: IdempotencyDigest) -> impl Iterator<Item = usize> {
        let rows = rows(digest);
        self.groups.iter().enumerate().flat_map(move |(group, words)| {
            let mut runs = u64::MAX;
            for row in rows {
                runs &= words[row];
                if runs == 0 {
                    break;
                }
            }
            (0..SEGMENTS_PER_WORD).filter(move |at| runs & bit(*at) != 0).map(move |at| group * SEGMENTS_PER_WORD + at)
        })
    }

    /// Forgets the run at this place.
    pub(super) fn clear(&mut self, place: usize) {
        for word in self.groups.get_mut(place / SEGMENTS_PER_WORD).into_iter().flatten() {
            *word &= !bit(place);
        }
    }
}

const fn bit(place: usize) -> u64 {
    1 << (place % SEGMENTS_PER_WORD)
}

/// The rows that a claim marks, each by three bytes of the digest.
fn rows(digest: IdempotencyDigest) -> [usize; HASHES] {
    std::array::from_fn(|mark| {
        let [a, b, c] = [0, 1, 2].map(|at| usize::from(digest.0[3 * mark + at]));
        (a << 16 | b << 8 | c) % FILTER_ROWS
    })
}
