//! Prices of lookups, compared with the reference implementation in exact rational numbers.

use super::reference_pricing;
use proptest::prelude::*;
use voight_domain::billing::{
    ChargeKind, Currency, PriceBook, PriceBookParts, PricingMode, Tier, UnitPrice, charge_lines,
    sum_of_lines,
};
use voight_support::tier;

/// Returns the number of generated cases, each with a price book and ten quantities.
fn cases() -> u32 {
    tier::volume(300, 10_000)
}

fn usd() -> Currency {
    "USD".parse().unwrap()
}

fn cost(book: &PriceBook, paid: u64) -> i64 {
    sum_of_lines(&charge_lines(book, paid).unwrap(), book.currency())
        .unwrap()
        .minor
}

/// Returns the cost of a client's lookups, of which the first are free.
fn example_cost(billable: u64) -> String {
    let book = PriceBook::example(usd());
    sum_of_lines(
        &charge_lines(&book, billable.saturating_sub(1000)).unwrap(),
        usd(),
    )
    .unwrap()
    .to_string()
}

#[test]
fn published_price_table_is_exact() {
    for (billable, expected) in [
        (1_000, "0.00 USD"),
        (1_001, "0.00 USD"),
        (1_003, "0.01 USD"),
        (101_000, "200.00 USD"),
        (101_001, "200.00 USD"),
        (1_001_010, "1100.01 USD"),
    ] {
        assert_eq!(example_cost(billable), expected, "{billable} lookups");
    }
}

#[test]
fn tier_bound_is_inclusive() {
    let lookups = |paid_lookups| {
        let lines = charge_lines(&PriceBook::example(usd()), paid_lookups).unwrap();
        lines
            .iter()
            .map(|line| match line.kind {
                ChargeKind::Lookups { first, last, .. } => (line.tier, first, last),
                ChargeKind::FlatFee => panic!("the example has no flat fee"),
            })
            .collect::<Vec<_>>()
    };
    assert!(lookups(0).is_empty());
    assert_eq!(lookups(99_999), [(1, 1, 99_999)]);
    assert_eq!(lookups(100_000), [(1, 1, 100_000)]);
    assert_eq!(lookups(100_001), [(1, 1, 100_000), (2, 100_001, 100_001)]);
}

prop_compose! {
    /// Generates price books with tier boundaries close together and far apart, with prices of any number of decimal
    /// places, in currencies with any number of them.
    fn books()(
        steps in prop::collection::vec((prop_oneof![1_u64..4, 1_u64..1_000, 1_u64..10_000_000], 0_u64..3_000_000_000_000, prop_oneof![Just(0_u64), 0_u64..5_000]), 0..6),
        last in (0_u64..3_000_000_000_000, 0_u64..100),
        mode in prop_oneof![Just(PricingMode::Graduated), Just(PricingMode::Volume)],
        code in prop_oneof![Just("USD"), Just("JPY"), Just("KWD"), Just("CLF")],
    ) -> PriceBook {
        let mut up_to = 0;
        let mut tiers: Vec<_> = steps.into_iter().map(|(step, pico, flat_fee)| {
            up_to += step;
            Tier { up_to: Some(up_to), unit_price: UnitPrice::from_pico(pico), flat_fee }
        }).collect();
        tiers.push(Tier { up_to: None, unit_price: UnitPrice::from_pico(last.0), flat_fee: last.1 });
        let name = "random".to_owned();
        let currency = code.parse().unwrap();
        PriceBook::new(PriceBookParts { name, version: 1, currency, mode, tiers }).unwrap()
    }
}

/// Any quantity, or one at a tier boundary of a price book that is generated later.
#[derive(Debug, Clone)]
enum Wish {
    Any(u64),
    AtBound(prop::sample::Index, u64),
}

impl Wish {
    fn quantity(&self, book: &PriceBook) -> u64 {
        let bounds: Vec<_> = book.tiers().iter().filter_map(|tier| tier.up_to).collect();
        match self {
            Self::Any(quantity) => *quantity,
            Self::AtBound(..) if bounds.is_empty() => 1,
            Self::AtBound(which, off) => (which.get(&bounds) + off).saturating_sub(1),
        }
    }
}

fn wishes() -> impl Strategy<Value = Wish> {
    prop_oneof![
        (0_u64..40_000_000).prop_map(Wish::Any),
        (any::<prop::sample::Index>(), 0_u64..3).prop_map(|(which, off)| Wish::AtBound(which, off)),
    ]
}

prop_compose! {
    fn books_and_quantities()(book in books(), wish in wishes()) -> (PriceBook, u64) {
        let quantity = wish.quantity(&book);
        (book, quantity)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn reference_pricing_agrees(book in books(), wishes in prop::collection::vec(wishes(), 10)) {
        for wish in wishes {
            let quantity = wish.quantity(&book);
            prop_assert_eq!(cost(&book, quantity), reference_pricing::minor(&book, quantity));
        }
    }

    #[test]
    fn graduated_cost_is_monotone((book, paid) in books_and_quantities(), more in 0_u64..1_000) {
        if book.mode() == PricingMode::Graduated {
            prop_assert!(cost(&book, paid) <= cost(&book, paid + more));
            prop_assert!(book.price_drops().is_empty());
        }
    }

    #[test]
    fn lines_cover_every_paid_lookup_once((book, paid) in books_and_quantities()) {
        let lines = charge_lines(&book, paid).unwrap();
        let mut next = 1;
        for line in &lines {
            if let ChargeKind::Lookups { first, last, .. } = line.kind {
                prop_assert_eq!(first, next);
                prop_assert!(first <= last);
                next = last + 1;
            }
        }
        prop_assert_eq!(next, paid + 1);
        prop_assert_eq!(sum_of_lines(&lines, book.currency()).unwrap().minor, lines.iter().map(|line| line.amount.minor).sum::<i64>());
    }
}
