use super::*;
use proptest::prelude::*;

const BUDGET: u64 = 1 << 20;
/// Bytes of an ordinary visit.
const VISIT: u64 = 128;

/// Miniature store: totals within a budget, and the evicted checks.
struct EvidenceStore {
    shares: EvidenceShares,
    total: u64,
    sizes: HashMap<CheckId, u64>,
    evicted: Vec<CheckId>,
    opened: u128,
}

impl EvidenceStore {
    fn new() -> Self {
        let shares = EvidenceShares::new(BUDGET);
        Self {
            shares,
            total: 0,
            sizes: HashMap::new(),
            evicted: Vec::new(),
            opened: 0,
        }
    }

    fn append(&mut self, context: u64, network: u64, bytes: u64) -> CheckId {
        self.opened += 1;
        let check = CheckId::from_bytes(self.opened.to_be_bytes());
        let share = EvidenceShare {
            context: context.to_be_bytes(),
            network: network.to_be_bytes(),
        };
        self.shares.add(check, share, bytes);
        self.sizes.insert(check, bytes);
        self.total += bytes;
        while self.total > BUDGET {
            let next = self.shares.next_to_evict().unwrap();
            self.shares.remove(next);
            self.total -= self.sizes[&next];
            self.evicted.push(next);
        }
        check
    }

    /// Adds ordinary visits, each from a different network, distributed over contexts.
    fn visits(&mut self, count: u64, contexts: u64) -> Vec<CheckId> {
        (0..count)
            .map(|visit| self.append(visit % contexts, 1_000_000 + visit, VISIT))
            .collect()
    }

    fn lost(&self, checks: &[CheckId]) -> usize {
        assert_eq!(self.shares.total(), self.total);
        let evicted_checks: BTreeSet<_> = self.evicted.iter().collect();
        checks
            .iter()
            .filter(|check| evicted_checks.contains(check))
            .count()
    }
}

#[test]
fn empty_store_evicts_nothing() {
    let mut shares = EvidenceShares::new(BUDGET);
    assert_eq!((shares.next_to_evict(), shares.total()), (None, 0));
    let check = CheckId::from_bytes([1; 16]);
    let [first, other] = [1, 2].map(|context| EvidenceShare {
        context: [context; 8],
        network: [0; 8],
    });
    shares.add(check, first, 10);
    shares.add(check, other, 5);
    assert_eq!(
        (shares.next_to_evict(), shares.total()),
        (Some(check), 15),
        "a check stays in its share"
    );
    shares.remove(check);
    shares.remove(check);
    assert_eq!((shares.next_to_evict(), shares.total()), (None, 0));
    assert!(
        shares.contexts.is_empty() && shares.order.is_empty(),
        "totals of nothing are kept"
    );
}

#[test]
fn equal_shares_evict_the_oldest_check() {
    let mut store = EvidenceStore::new();
    let visits = store.visits(12_000, 1);
    assert!(store.evicted.len() > 3_000);
    assert_eq!(store.evicted, visits[..store.evicted.len()]);
}

#[test]
fn network_in_one_context_evicts_only_itself() {
    let mut store = EvidenceStore::new();
    let visits = store.visits(4_000, 4);
    let flood: Vec<_> = (0..10_000).map(|_| store.append(1, 7, 4 * VISIT)).collect();
    assert_eq!((store.lost(&visits), store.lost(&flood) > 5_000), (0, true));
}

#[test]
fn network_in_many_contexts_evicts_only_itself() {
    let mut store = EvidenceStore::new();
    let visits = store.visits(4_000, 4);
    for call in 0..10_000 {
        store.append(call % 100, 7, 4 * VISIT);
    }
    assert_eq!(store.lost(&visits), 0);
}

#[test]
fn context_flood_spares_smaller_contexts() {
    let mut store = EvidenceStore::new();
    let visits = store.visits(2_000, 4);
    for network in 0..20_000 {
        store.append(9, network, 4 * VISIT);
    }
    assert_eq!(store.lost(&visits), 0);
}

#[test]
fn distributed_flood_evicts_only_itself() {
    let mut store = EvidenceStore::new();
    let visits = store.visits(2_000, 4);
    for call in 0..40_000 {
        store.append(call % 20, call % 200, 4 * VISIT);
    }
    assert_eq!(store.lost(&visits), 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// For any distribution of calls, no check is evicted while another share has more bytes of its network and of its
    /// context.
    #[test]
    fn smallest_share_is_never_evicted_first(calls in prop::collection::vec((0..4_u64, 0..6_u64, 1..5_000_u64), 1..400)) {
        let mut shares = EvidenceShares::new(1 << 16);
        let mut stored_checks: HashMap<CheckId, (u64, u64, u64)> = HashMap::new();
        for (place, (context, network, bytes)) in (1_u128..).zip(calls) {
            let check = CheckId::from_bytes(place.to_be_bytes());
            shares.add(check, EvidenceShare { context: context.to_be_bytes(), network: network.to_be_bytes() }, bytes);
            stored_checks.insert(check, (context, network, bytes));
            while stored_checks.values().map(|(_, _, bytes)| bytes).sum::<u64>() > 1 << 16 {
                let context_bytes = |context: u64| stored_checks.values().filter(|stored_check| stored_check.0 == context).map(|stored_check| stored_check.2).sum::<u64>();
                let share_bytes = |share: (u64, u64)| {
                    stored_checks.values().filter(|stored_check| (stored_check.0, stored_check.1) == share).map(|stored_check| stored_check.2).sum::<u64>()
                };
                let next = shares.next_to_evict().unwrap();
                let (context, network, _) = stored_checks[&next];
                let of_next = share_bytes((context, network));
                let around = context_bytes(context);
                let floors = (8, (1 << 16) / CONTEXT_FLOOR);
                for (other, other_network, _) in stored_checks.values().copied().collect::<Vec<_>>() {
                    let larger = share_bytes((other, other_network)).max(floors.0) > of_next.max(floors.0);
                    let not_smaller = context_bytes(other).max(floors.1) >= around.max(floors.1);
                    prop_assert!(!(larger && not_smaller), "a smaller share of a smaller context goes first");
                }
                shares.remove(next);
                stored_checks.remove(&next);
            }
        }
    }

    /// One network evicts no evidence of visitors, for any distribution of its calls over contexts and any sizes.
    #[test]
    fn network_never_evicts_visitors(contexts in 1..60_u64, size in VISIT..4_096) {
        let mut store = EvidenceStore::new();
        let visits = store.visits(1_500, 3);
        for call in 0..6_000 {
            store.append(call % contexts, 7, size);
        }
        prop_assert_eq!(store.lost(&visits), 0);
    }

    /// A flood of one context evicts no evidence of other contexts, for any number of networks.
    #[test]
    fn context_never_evicts_others(networks in 1..6_000_u64, size in VISIT..4_096) {
        let mut store = EvidenceStore::new();
        let visits = store.visits(1_500, 3);
        for call in 0..6_000 {
            store.append(9, call % networks, size);
        }
        prop_assert_eq!(store.lost(&visits), 0);
    }
}
