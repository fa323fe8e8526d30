//! Reuse of movements in the names of other addresses.

use super::{
    FingerprintIndex, FingerprintPage, IndexedCheck, MatchThresholds, MovementFingerprint,
};
use crate::secrets::AddressDigest;
use crate::vocabulary::Timestamp;
use std::collections::BTreeSet;
use std::time::Duration;

/// Maximum time between the completions of two concurrent checks.
///
/// One person may do two checks concurrently in two windows: one matching movement is enough then.
pub const CONCURRENT_WINDOW: Duration = Duration::from_secs(2);
/// Minimum number of matching movements to link checks that are not concurrent.
const MIN_MATCHES: usize = 2;

/// Reused movements of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovementReuse {
    /// The number of movements of the check that match.
    pub movements: usize,
    /// The number of other addresses with matching movements.
    pub addresses: usize,
    /// The digest of one of these addresses.
    pub address: AddressDigest,
    /// `true` if a check with a matching movement was completed concurrently.
    pub concurrent: bool,
}

/// Returns the reuse if enough of these movements match fingerprints of addresses other than `owner`. Each fingerprint
/// of the index counts as one movement, so a single fingerprint that matches two movements is not a link.
pub fn reuse(
    traces: &[MovementFingerprint],
    owner: AddressDigest,
    pages: &FingerprintIndex,
    now: Timestamp,
) -> Option<MovementReuse> {
    let checks = || pages.values().flat_map(|FingerprintPage(checks)| checks);
    let limits = MatchThresholds::for_index_size(checks().map(|check| check.traces.len()).sum());
    let other_checks = checks().filter(|check| check.owner != owner);
    let mut matched_movements = Vec::new();
    let mut matched_traces = BTreeSet::new();
    let mut addresses = BTreeSet::new();
    let mut at_once = false;
    for check in other_checks {
        for (movement, trace) in hits(traces, check, limits) {
            matched_movements.push(movement);
            matched_traces.insert((check.check, trace));
            addresses.insert(check.owner);
            at_once |= is_at_once(check.at, now);
        }
    }
    matched_movements.sort_unstable();
    matched_movements.dedup();
    let movements = matched_movements.len().min(matched_traces.len());
    let address = addresses.first().copied()?;
    let is_linked = movements >= MIN_MATCHES || at_once;
    is_linked.then_some(MovementReuse {
        movements,
        addresses: addresses.len(),
        address,
        concurrent: at_once,
    })
}

/// Returns the pairs of movement and fingerprint of a check that match.
fn hits<'a>(
    traces: &'a [MovementFingerprint],
    check: &'a IndexedCheck,
    limits: MatchThresholds,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let numbered_traces = || check.traces.iter().enumerate();
    traces.iter().enumerate().flat_map(move |(movement, mine)| {
        numbered_traces()
            .filter(move |(_, other)| mine.matches(other, limits))
            .map(move |(trace, _)| (movement, trace))
    })
}

fn is_at_once(one: Timestamp, other: Timestamp) -> bool {
    other.saturating_since(one).max(one.saturating_since(other)) <= CONCURRENT_WINDOW
}

#[cfg(test)]
mod tests {
    use super::super::fingerprint::tests::trace;
    use super::super::index::tests::indexed;
    use super::*;

    const LATER: Timestamp = Timestamp::from_millis(1_000_000_000);

    fn pages() -> FingerprintIndex {
        FingerprintIndex::from([
            (0, FingerprintPage(vec![indexed(1, 1), indexed(2, 2)])),
            (3, FingerprintPage(vec![indexed(3, 3)])),
        ])
    }

    fn find_reuse(traces: &[MovementFingerprint], now: Timestamp) -> Option<MovementReuse> {
        reuse(traces, AddressDigest([0xff; 16]), &pages(), now)
    }

    #[test]
    fn link_needs_two_reused_movements() {
        let own_trace = trace(77);
        assert_eq!(find_reuse(&[trace(2), own_trace], LATER), None);
        let movement_reuse = find_reuse(&[trace(2), trace(3)], LATER).unwrap();
        assert_eq!(
            (
                movement_reuse.movements,
                movement_reuse.addresses,
                movement_reuse.concurrent
            ),
            (2, 1, false)
        );
        assert_eq!(movement_reuse.address, indexed(1, 1).owner);
        assert_eq!(
            find_reuse(&[trace(3), own_trace, trace(6)], LATER)
                .unwrap()
                .addresses,
            2,
            "picked from two checks"
        );
    }

    #[test]
    fn repeated_movement_counts_once() {
        assert_eq!(find_reuse(&[trace(2), trace(2)], LATER), None);
    }

    #[test]
    fn address_is_not_linked_to_itself() {
        let own_reuse = reuse(&[trace(2), trace(3)], indexed(1, 1).owner, &pages(), LATER);
        assert_eq!(own_reuse, None);
    }

    #[test]
    fn concurrent_movement_is_a_link() {
        let at = indexed(2, 2).at;
        for now in [
            at,
            at.saturating_add(CONCURRENT_WINDOW),
            at.saturating_sub(CONCURRENT_WINDOW),
        ] {
            assert!(
                find_reuse(&[trace(4), trace(77)], now)
                    .is_some_and(|movement_reuse| movement_reuse.concurrent)
            );
        }
        assert_eq!(
            find_reuse(
                &[trace(4), trace(77)],
                at.saturating_add(CONCURRENT_WINDOW + Duration::from_millis(1))
            ),
            None
        );
    }

    #[test]
    fn check_without_movements_matches_nothing() {
        assert_eq!(find_reuse(&[], LATER), None);
    }
}
