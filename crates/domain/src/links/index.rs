//! The index of traces of a context: bounded, and hard to wash out.

use super::MovementFingerprint;
use crate::secrets::{AddressDigest, NetworkHash};
use crate::vocabulary::{CheckId, Timestamp};
use std::collections::BTreeMap;

/// Checks on a page: what one conclusion writes.
pub const PAGE_CHECKS: usize = 32;
/// Pages of an index: 2,048 checks, and of most checks two traces.
pub const INDEX_PAGES: u16 = 64;
/// Checks of one network in an index. More of them replace each other, so that a flood from one network leaves the others'.
pub const NETWORK_QUOTA: usize = 64;
/// Checks of one address in an index: its own traces link it to nobody.
pub const OWNER_QUOTA: usize = 4;

/// A check whose traces are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedCheck {
    /// The check.
    pub check: CheckId,
    /// When it was completed.
    pub at: Timestamp,
    /// What stands for its address.
    pub owner: AddressDigest,
    /// The network that it was completed from.
    pub network: NetworkHash,
    /// Its traces.
    pub traces: Vec<MovementFingerprint>,
}

/// A page of an index, at most [`PAGE_CHECKS`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FingerprintPage(pub Vec<IndexedCheck>);

/// The pages of an index by their numbers, from 0 on; empty ones may be missing.
pub type FingerprintIndex = BTreeMap<u16, FingerprintPage>;

/// The page that changes when a check enters the index, and what is on it then.
///
/// Every check enters. Who leaves for it is drawn by the random part of its id, which nobody chooses: one of the same address
/// or network if that has used up its quota, nobody while there is room, else anybody.
pub(super) fn insert(pages: &FingerprintIndex, check: IndexedCheck) -> (u16, FingerprintPage) {
    let room = || (0..INDEX_PAGES).find(|number| pages.get(number).is_none_or(|page| page.0.len() < PAGE_CHECKS));
    let all = |_: &IndexedCheck| true;
    let drawn = choose_eviction(pages, &check, OWNER_QUOTA, |other| other.owner == check.owner)
        .or_else(|| choose_eviction(pages, &check, NETWORK_QUOTA, |other| other.network == check.network));
    let place = drawn.or_else(|| match room() {
        Some(_) => None,
        None => choose_eviction(pages, &check, 1, all),
    });
    let number = place.map_or_else(|| room().unwrap_or_default(), |(number, _)| number);
    let mut page = pages.get(&number).cloned().unwrap_or_default();
    match place.and_then(|(_, at)| page.0.get_mut(at)) {
        Some(leaving) => *leaving = check,
        None => page.0.push(check),
    }
    (number, page)
}

/// Where the check is that leaves: one of `these`, if there are `quota` of them.
fn choose_eviction(
    pages: &FingerprintIndex,
    check: &IndexedCheck,
    quota: usize,
    these: impl Fn(&IndexedCheck) -> bool,
) -> Option<(u16, usize)> {
    let on_page = |(number, page): (&u16, &FingerprintPage)| {
        let found = page.0.iter().enumerate().filter(|(_, other)| these(other)).map(|(at, _)| (*number, at));
        found.collect::<Vec<_>>()
    };
    let places: Vec<_> = pages.iter().flat_map(on_page).collect();
    let [.., a, b, c, d] = check.check.to_bytes();
    let drawn = u32::from_be_bytes([a, b, c, d]) as usize;
    (places.len() >= quota).then(|| places[drawn % places.len()])
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::trace::tests::trace;
    use super::*;
    use std::collections::BTreeSet;

    /// A check whose numbers all differ from those of others, from a network.
    pub(crate) fn indexed(number: u32, network: u8) -> IndexedCheck {
        let mixed = number.wrapping_mul(0x9e37_79b9).to_be_bytes();
        let mut owner = [0; 16];
        owner[..4].copy_from_slice(&number.to_be_bytes());
        IndexedCheck {
            check: CheckId::from_bytes(std::array::from_fn(|place| mixed[place % 4])),
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
        fill(&mut pages, (0..).zip(networks).take(CAPACITY).map(|(number, network)| indexed(number, network)));
        assert_eq!(checks(&pages), CAPACITY);
        pages
    }

    #[test]
    fn every_check_enters_and_the_index_stays_bounded() {
        let mut pages = full();
        for number in 10_000..10_200 {
            let new = indexed(number, u8::try_from(number % 250).unwrap());
            fill(&mut pages, [new.clone()]);
            assert!(pages.values().any(|page| page.0.contains(&new)));
        }
        assert_eq!(checks(&pages), CAPACITY);
    }

    #[test]
    fn a_flood_from_one_network_does_not_wash_the_index_out() {
        let mut pages = full();
        let before: BTreeSet<_> = pages.values().flat_map(|page| &page.0).map(|check| check.owner.0).collect();
        fill(&mut pages, (100_000..110_000).map(|number| indexed(number, u8::MAX)));
        let after: BTreeSet<_> = pages.values().flat_map(|page| &page.0).map(|check| check.owner.0).collect();
        let lost = before.difference(&after).count();
        assert_eq!(lost, NETWORK_QUOTA, "of {CAPACITY}");
    }

    #[test]
    fn an_address_replaces_its_own() {
        let mut pages = full();
        let own = |number| IndexedCheck { owner: AddressDigest([9; 16]), ..indexed(number, (number % 250) as u8) };
        fill(&mut pages, (200_000..201_000).map(own));
        let of_it = pages.values().flat_map(|page| &page.0).filter(|check| check.owner == AddressDigest([9; 16]));
        assert_eq!(of_it.count(), OWNER_QUOTA);
    }

    #[test]
    fn what_an_erase_has_left_free_is_used_first() {
        let mut pages = full();
        pages.get_mut(&7).unwrap().0.remove(3);
        let (number, page) = insert(&pages, indexed(300_000, 251));
        assert_eq!((number, page.0.len()), (7, PAGE_CHECKS));
    }
}
