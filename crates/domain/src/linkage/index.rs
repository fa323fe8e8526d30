//! Fingerprint index of a context: bounded, and resistant to floods.

use super::MovementFingerprint;
use crate::secrets::{AddressDigest, NetworkHash};
use crate::vocabulary::{CheckId, Timestamp};
use std::collections::BTreeMap;

/// Number of checks on a page, which is the unit that one conclusion writes.
pub const PAGE_CHECKS: usize = 32;
/// Number of pages of an index: 2,048 checks, most of them with two fingerprints.
pub const INDEX_PAGES: u16 = 64;
/// Maximum number of checks of one network in an index. Further ones replace each other, so that a flood from one
/// network does not evict those of others.
pub const NETWORK_QUOTA: usize = 64;
/// Maximum number of checks of one address in an index.
///
/// The fingerprints of an address do not link it to itself, so few are enough.
pub const OWNER_QUOTA: usize = 4;

/// Check in a fingerprint index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedCheck {
    /// The check.
    pub check: CheckId,
    /// The time of completion.
    pub at: Timestamp,
    /// The digest of the address.
    pub owner: AddressDigest,
    /// The network of the check.
    pub network: NetworkHash,
    /// The fingerprints of the check.
    pub traces: Vec<MovementFingerprint>,
}

/// Page of an index, with at most [`PAGE_CHECKS`] checks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FingerprintPage(pub Vec<IndexedCheck>);

/// Pages of an index by their numbers, from 0; empty pages may be missing.
pub type FingerprintIndex = BTreeMap<u16, FingerprintPage>;

/// Returns the number and new content of the page that changes when a check is inserted.
///
/// Every check is inserted. The random part of its id, which no visitor can choose, selects the check that it evicts:
/// one of the same address or network if that has used up its quota, none while the index has room, else any.
pub(super) fn insert(pages: &FingerprintIndex, check: IndexedCheck) -> (u16, FingerprintPage) {
    let room = || {
        (0..INDEX_PAGES).find(|number| {
            pages
                .get(number)
                .is_none_or(|page| page.0.len() < PAGE_CHECKS)
        })
    };
    let any_check = |_: &IndexedCheck| true;
    let over_quota = choose_eviction(pages, &check, OWNER_QUOTA, |candidate| {
        candidate.owner == check.owner
    })
    .or_else(|| {
        choose_eviction(pages, &check, NETWORK_QUOTA, |candidate| {
            candidate.network == check.network
        })
    });
    let place = over_quota.or_else(|| match room() {
        Some(_) => None,
        None => choose_eviction(pages, &check, 1, any_check),
    });
    let number = place.map_or_else(|| room().unwrap_or_default(), |(number, _)| number);
    let mut page = pages.get(&number).cloned().unwrap_or_default();
    match place.and_then(|(_, at)| page.0.get_mut(at)) {
        Some(leaving) => *leaving = check,
        None => page.0.push(check),
    }
    (number, page)
}

/// Returns the position of the check to evict: one of `these`, if there are at least `quota` of them.
fn choose_eviction(
    pages: &FingerprintIndex,
    check: &IndexedCheck,
    quota: usize,
    these: impl Fn(&IndexedCheck) -> bool,
) -> Option<(u16, usize)> {
    let on_page = |(number, page): (&u16, &FingerprintPage)| {
        let matches = page
            .0
            .iter()
            .enumerate()
            .filter(|(_, other)| these(other))
            .map(|(at, _)| (*number, at));
        matches.collect::<Vec<_>>()
    };
    let places: Vec<_> = pages.iter().flat_map(on_page).collect();
    let [.., a, b, c, d] = check.check.to_bytes();
    let random_index = u32::from_be_bytes([a, b, c, d]) as usize;
    (places.len() >= quota).then(|| places[random_index % places.len()])
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::fingerprint::tests::trace;
    use super::*;
    use std::collections::BTreeSet;

    /// Returns a check from a network, with numbers that differ from those of other checks.
    pub(crate) fn indexed(number: u32, network: u8) -> IndexedCheck {
        let mixed_bits = number.wrapping_mul(0x9e37_79b9).to_be_bytes();
        let mut owner = [0; 16];
        owner[..4].copy_from_slice(&number.to_be_bytes());
        IndexedCheck {
            check: CheckId::from_bytes(std::array::from_fn(|place| mixed_bits[place % 4])),
            at: Timestamp::from_millis(i64::from(number) * 60_000),
            owner: AddressDigest(owner),
            network: NetworkHash([network; 16]),
            traces: vec![trace(2 * number), trace(2 * number + 1)],
        }
    }

    fn fill(pages: &mut FingerprintIndex, checks: impl IntoIterator<Item = IndexedCheck>) {
        for check in checks {
            let (number, page) = insert(pages, check);
            assert!(number < INDEX_PAGES && page.0.len() <= PAGE_CHECKS);
            pages.insert(number, page);
        }
    }

    fn checks(pages: &FingerprintIndex) -> usize {
        pages.values().map(|page| page.0.len()).sum()
    }

    const CAPACITY: usize = PAGE_CHECKS * INDEX_PAGES as usize;

    fn full() -> FingerprintIndex {
        let mut pages = FingerprintIndex::new();
        let networks = (0..u8::MAX).cycle();
        fill(
            &mut pages,
            (0..)
                .zip(networks)
                .take(CAPACITY)
                .map(|(number, network)| indexed(number, network)),
        );
        assert_eq!(checks(&pages), CAPACITY);
        pages
    }

    #[test]
    fn full_index_accepts_every_check() {
        let mut pages = full();
        for number in 10_000..10_200 {
            let new = indexed(number, u8::try_from(number % 250).unwrap());
            fill(&mut pages, [new.clone()]);
            assert!(pages.values().any(|page| page.0.contains(&new)));
        }
        assert_eq!(checks(&pages), CAPACITY);
    }

    #[test]
    fn network_flood_evicts_at_most_its_quota() {
        let mut pages = full();
        let owners_before: BTreeSet<_> = pages
            .values()
            .flat_map(|page| &page.0)
            .map(|check| check.owner.0)
            .collect();
        fill(
            &mut pages,
            (100_000..110_000).map(|number| indexed(number, u8::MAX)),
        );
        let owners_after: BTreeSet<_> = pages
            .values()
            .flat_map(|page| &page.0)
            .map(|check| check.owner.0)
            .collect();
        let lost_owners = owners_before.difference(&owners_after).count();
        assert_eq!(lost_owners, NETWORK_QUOTA, "of {CAPACITY}");
    }

    #[test]
    fn address_evicts_its_own_checks() {
        let mut pages = full();
        let own_check = |number| IndexedCheck {
            owner: AddressDigest([9; 16]),
            ..indexed(number, (number % 250) as u8)
        };
        fill(&mut pages, (200_000..201_000).map(own_check));
        let of_it = pages
            .values()
            .flat_map(|page| &page.0)
            .filter(|check| check.owner == AddressDigest([9; 16]));
        assert_eq!(of_it.count(), OWNER_QUOTA);
    }

    #[test]
    fn erased_space_is_reused_first() {
        let mut pages = full();
        pages.get_mut(&7).unwrap().0.remove(3);
        let (number, page) = insert(&pages, indexed(300_000, 251));
        assert_eq!((number, page.0.len()), (7, PAGE_CHECKS));
    }
}
