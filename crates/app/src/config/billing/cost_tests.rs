//! Properties of every price book that the configuration accepts: the cost of a period never falls as lookups are added,
//! and depends on their number alone, whatever their order, parts and doors.

use super::tests::loaded;
use proptest::prelude::*;
use std::sync::Arc;
use std::time::Duration;
use voight_detect::RuleAssessor;
use voight_domain::billing::{
    Currency, Money, PriceBook, PriceBookParts, PricingMode, Tier, UnitPrice,
};
use voight_domain::metering::{AllowanceReset, LookupOutcome, MeterRules, PeriodStartDay};
use voight_domain::ports::{Clock, DisabledOutbound, SnapshotStore};
use voight_domain::registry::{Actor, Client, KeyWithClient};
use voight_domain::secrets::{KeyDigest, Pepper, Secrets};
use voight_domain::services::{
    BatchLookupQuery, IssueKey, LookupQuery, NewSnapshot, Policies, Ports, Registration,
    RegistrationRequest, Services,
};
use voight_domain::snapshot::{ListedAddress, RewardRule, SnapshotChange, SnapshotSource};
use voight_domain::vocabulary::{ContextId, Environment, EoaAddress, ScopeSet};
use voight_memory::MemoryStore;
use voight_support::{CountingEntropy, ManualClock, NOW, poll_now, tier};

/// Way of making lookups.
#[derive(Debug, Clone, Copy)]
enum Door {
    Lookup,
    DetailedLookup,
    Batch,
    /// Snapshot with slices of at most this number of addresses.
    Snapshot(usize),
}

/// Lookups of one period: parts with their doors.
type Plan = Vec<(Door, u32)>;

prop_compose! {
    /// Generates price books with tiers that a plan reaches, at prices with fractions of a cent.
    fn parts()(
        steps in prop::collection::vec((1_u64..12, prop_oneof![(0_u64..30).prop_map(|tenths| tenths * 1_000_000_000), 0_u64..30_000_000_000], prop_oneof![Just(0_u64), 0_u64..60]), 1..5),
        mode in prop_oneof![Just(PricingMode::Graduated), Just(PricingMode::Volume)],
        is_ascending: bool,
    ) -> PriceBookParts {
        let mut steps = steps;
        if is_ascending {
            steps.sort_by_key(|(_, pico, flat_fee)| (*flat_fee, *pico));
        }
        let mut end = 0;
        let count = steps.len();
        let tiers = (1..).zip(steps).map(|(number, (width, pico, flat_fee))| {
            end += width;
            Tier { up_to: (number < count).then_some(end), unit_price: UnitPrice::from_pico(pico), flat_fee }
        });
        let tiers = tiers.collect();
        PriceBookParts { name: "random".to_owned(), version: 1, currency: Currency::USD, mode, tiers }
    }
}

/// Returns a configuration file with a price book of these parts.
fn file(parts: &PriceBookParts) -> String {
    let mode = if parts.mode == PricingMode::Volume {
        "volume"
    } else {
        "graduated"
    };
    let tier = |tier: &Tier| {
        let up_to = tier
            .up_to
            .map_or_else(String::new, |up_to| format!("up_to = {up_to}, "));
        let fee = format!("{}.{:02}", tier.flat_fee / 100, tier.flat_fee % 100);
        format!(
            "{{ {up_to}unit_price = \"{}\", flat_fee = \"{fee}\" }}",
            tier.unit_price
        )
    };
    let tiers: Vec<_> = parts.tiers.iter().map(tier).collect();
    format!(
        "[billing.price_book]\nname = \"random\"\nversion = 1\nmode = \"{mode}\"\ntiers = [{}]\n",
        tiers.join(", ")
    )
}

/// Generates price books that the configuration accepts.
fn accepted_book() -> impl Strategy<Value = PriceBook> {
    let book = |parts: PriceBookParts| {
        loaded(&file(&parts))
            .ok()
            .map(|loaded_config| loaded_config.config.billing.price_book())
    };
    parts().prop_filter_map("the configuration rejects the price book", book)
}

fn plan() -> impl Strategy<Value = Plan> {
    let door = prop_oneof![
        Just(Door::Lookup),
        Just(Door::DetailedLookup),
        Just(Door::Batch),
        (1_usize..6).prop_map(Door::Snapshot)
    ];
    prop::collection::vec((door, 1_u32..14), 1..5)
}

/// Service over an empty store, with one client.
struct MemoryService {
    services: Services,
    store: Arc<MemoryStore>,
    clock: Arc<ManualClock>,
    client: Client,
    key: KeyWithClient,
    digest: KeyDigest,
    context: ContextId,
    /// Number of addresses that were looked up.
    addresses: u32,
}

impl MemoryService {
    fn new(rules: MeterRules) -> Self {
        let clock = Arc::new(ManualClock::new(NOW));
        let wall_clock: Arc<dyn Clock> = Arc::clone(&clock) as _;
        let store = Arc::new(MemoryStore::new(Arc::clone(&wall_clock), 1 << 20));
        let ports = Ports {
            store: Arc::clone(&store) as _,
            assessor: Arc::new(RuleAssessor::new()),
            candidates: Arc::new(RuleAssessor::new()),
            clock: wall_clock,
            entropy: Arc::new(CountingEntropy::default()),
            outbound: Arc::new(DisabledOutbound),
            secrets: Secrets::derive(&Pepper::from_bytes([7; 32]), 0),
        };
        let services = Services::new(
            &ports,
            Policies {
                metering: rules,
                ..Policies::default()
            },
        );
        let registry = &services.registry;
        let client = poll_now(registry.create_client("acme".parse().unwrap())).unwrap();
        let issued_key = poll_now(registry.issue_key(IssueKey {
            client: client.id,
            environment: Environment::Live,
            scopes: ScopeSet::all(),
            networks: Vec::new(),
            expires_at: None,
            label: None,
        }));
        let key = issued_key.unwrap().key;
        let digest = key.secrets[0].digest;
        let key = KeyWithClient {
            key,
            client: client.clone(),
        };
        let request = RegistrationRequest {
            title: "quest".parse().unwrap(),
            idempotency_key: None,
        };
        let registration =
            poll_now(registry.register_context(&key, request, Actor::Operator)).unwrap();
        let Registration::Registered(context) = registration else {
            panic!("{registration:?}")
        };
        Self {
            services,
            store,
            clock,
            client,
            key,
            digest,
            context,
            addresses: 0,
        }
    }

    /// Looks up new addresses in descending order.
    fn look_up(&mut self, door: Door, count: u32) {
        self.addresses += count;
        let address = |number: u32| {
            let mut bytes = [0; 20];
            bytes[16..].copy_from_slice(&number.to_be_bytes());
            EoaAddress::from_bytes(bytes)
        };
        let addresses = (0..count).map(|back| address(self.addresses - back));
        match door {
            Door::Lookup => addresses.for_each(|address| self.look_up_one(address, false)),
            Door::DetailedLookup => addresses.for_each(|address| self.look_up_one(address, true)),
            Door::Batch => {
                let key = self.digest;
                let context = self.context.clone();
                let query = BatchLookupQuery {
                    key,
                    context,
                    addresses: addresses.collect(),
                    idempotency_key: None,
                };
                let outcome = poll_now(self.services.lookups.look_up_batch(query)).unwrap();
                assert!(
                    matches!(outcome, LookupOutcome::Recorded(..)),
                    "{outcome:?}"
                );
            }
            Door::Snapshot(slice) => {
                self.take_snapshot(&addresses.rev().collect::<Vec<_>>(), slice);
            }
        }
    }

    fn look_up_one(&self, address: EoaAddress, is_detailed: bool) {
        let key = self.digest;
        let context = self.context.clone();
        let query = LookupQuery {
            key,
            context,
            address,
            idempotency_key: None,
            is_detailed,
        };
        let outcome = poll_now(self.services.lookups.look_up(query)).unwrap();
        assert!(
            matches!(outcome, LookupOutcome::Recorded(..)),
            "{outcome:?}"
        );
    }

    fn take_snapshot(&self, addresses: &[EoaAddress], slice: usize) {
        let request = NewSnapshot {
            context: self.context.clone(),
            source: SnapshotSource::Upload,
            rewards: RewardRule::default(),
            idempotency_key: None,
        };
        let snapshot = poll_now(self.services.snapshots.create(&self.key, request)).unwrap();
        let change = |change| {
            poll_now(
                self.store
                    .change_snapshot(snapshot.client, snapshot.id, change),
            )
            .unwrap()
        };
        change(SnapshotChange::BeginUpload).unwrap().unwrap();
        let mut slices = 0;
        for addresses in addresses.chunks(slice) {
            let addresses = addresses
                .iter()
                .map(|address| ListedAddress {
                    address: *address,
                    amount: None,
                })
                .collect();
            change(SnapshotChange::Append {
                attempt: 1,
                index: slices,
                addresses,
            })
            .unwrap()
            .unwrap();
            slices += 1;
        }
        let complete = SnapshotChange::CompleteUpload {
            attempt: 1,
            slices,
            addresses: addresses.len() as u64,
        };
        change(complete).unwrap().unwrap();
        while poll_now(
            self.services
                .snapshots
                .continue_job(snapshot.client, snapshot.id),
        )
        .unwrap()
        {}
    }

    fn run(&mut self, plan: &Plan) {
        for (door, count) in plan {
            self.look_up(*door, *count);
        }
    }

    /// Returns the total of the draft invoice of the running period.
    fn cost(&self) -> i64 {
        poll_now(self.services.billing.preview(&self.client, None))
            .unwrap()
            .statement
            .total
            .minor
    }
}

/// Returns the number of lookups of a plan.
fn count(plan: &Plan) -> u32 {
    plan.iter().map(|(_, count)| count).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(tier::volume(200, 5_000)))]

    #[test]
    fn only_books_whose_total_never_falls_are_accepted(parts in parts()) {
        let book = PriceBook::new(parts.clone()).unwrap();
        let prices: Vec<_> = (0..60).map(|paid_count| book.price(paid_count).unwrap().minor).collect();
        match loaded(&file(&parts)) {
            Ok(loaded) => {
                prop_assert!(prices.is_sorted(), "{prices:?}");
                prop_assert_eq!(loaded.config.billing.price_book(), book);
            }
            Err(problems) => {
                prop_assert!(!prices.is_sorted(), "{problems:?}");
                prop_assert!(problems.iter().all(|text| text.contains("lowers the total of a period")), "{problems:?}");
            }
        }
    }

    #[test]
    fn minimum_flat_fees_correct_a_falling_book(parts in parts()) {
        let mut corrected_parts = parts;
        for _ in 0..corrected_parts.tiers.len() {
            for drop in PriceBook::new(corrected_parts.clone()).unwrap().price_drops() {
                let Money { minor, .. } = drop.min_flat_fee;
                corrected_parts.tiers[drop.tier - 1].flat_fee = minor.unsigned_abs();
            }
        }
        prop_assert!(loaded(&file(&corrected_parts)).is_ok(), "{corrected_parts:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(tier::volume(100, 2_000)))]

    #[test]
    fn cost_of_a_period_depends_on_its_number_of_lookups(
        book in accepted_book(),
        plans in (plan(), plan()),
        allowance in prop_oneof![Just(0_u64), 1_u64..20],
        is_monthly: bool,
        day in 1_u8..=31,
    ) {
        let reset = if is_monthly { AllowanceReset::Monthly } else { AllowanceReset::Never };
        let period_start_day = PeriodStartDay::try_from(day).unwrap();
        let rules = MeterRules { allowance, reset, period_start_day, price_book: Arc::new(book.clone()) };
        let first = u64::from(count(&plans.0));
        let second = u64::from(count(&plans.1));
        let allowance_left = if is_monthly { allowance } else { allowance.saturating_sub(first) };
        let price = |lookups: u64, free: u64| book.price(lookups.saturating_sub(free)).unwrap().minor;

        let mut service = MemoryService::new(rules.clone());
        service.run(&plans.0);
        prop_assert_eq!(service.cost(), price(first, allowance));
        service.clock.advance(Duration::from_hours(24 * 31));
        service.run(&plans.1);
        prop_assert_eq!(service.cost(), price(second, allowance_left));
        service.look_up(Door::Lookup, 1);
        prop_assert!(service.cost() >= price(second, allowance_left), "one more lookup lowers the cost");
        let invoices = poll_now(service.services.billing.close(&service.client, None)).unwrap();
        let totals: Vec<_> = invoices.iter().map(|invoice| invoice.statement.total.minor).collect();
        prop_assert_eq!(totals, [price(first, allowance)]);

        for door in [Door::Lookup, Door::Batch, Door::Snapshot(3)] {
            let mut service = MemoryService::new(rules.clone());
            service.look_up(door, count(&plans.0));
            prop_assert_eq!(service.cost(), price(first, allowance), "{:?}", door);
        }
    }
}
