//! A quote is what the next lookups cost: the same free and charged lookups as when they are made, and the amount by which
//! they raise the invoice.

use super::world::{START, client, random_step};
use fastrand::Rng;
use proptest::prelude::*;
use std::time::Duration;
use voight_domain::billing::{Money, PriceBook, PriceBookParts, PricingMode, Tier, UnitPrice};
use voight_domain::invoicing::{Account, BillingFacts, draft_invoices};
use voight_domain::metering::{
    Commitment, LedgerId, Limit, MeterRules, MeterState, MeteringDecision, MeteringInput,
    QuoteError, decide,
};
use voight_domain::verdict::Answer;
use voight_domain::vocabulary::{Environment, Timestamp};
use voight_support::tier;

/// Lookup whose answer does not matter.
const LOOKUP: MeteringInput = MeteringInput {
    context: 1,
    key: 1,
    answer: Answer::UNKNOWN,
    commitment: Commitment([0; 32]),
    idempotency: None,
    environment: Environment::Live,
};

/// Makes lookups until one is rejected. Returns the meter, and the numbers of free and charged lookups.
fn look_up(
    mut meter: MeterState,
    rules: &MeterRules,
    count: u64,
    now: Timestamp,
) -> (MeterState, u64, u64) {
    let mut free = 0;
    let mut charged_lookups = 0;
    for _ in 0..count {
        let (next, MeteringDecision::Recorded(metered)) = decide(&meter, &LOOKUP, rules, now)
        else {
            break;
        };
        let is_free =
            matches!(metered.row.kind, voight_domain::metering::RowKind::Lookup(row) if row.free);
        (free, charged_lookups) = (
            free + u64::from(is_free),
            charged_lookups + u64::from(!is_free),
        );
        meter = next;
    }
    (meter, free, charged_lookups)
}

/// Returns the total of the draft invoice of the running period.
fn total(meter: MeterState, rules: &MeterRules, now: Timestamp) -> Money {
    let facts = BillingFacts {
        client: client(),
        meter: Some(meter),
        ended: Vec::new(),
        price_books: vec![(*rules.price_book).clone()],
        account: Account::default(),
        pending_adjustments: Vec::new(),
    };
    let drafts = draft_invoices(&facts, rules, now).unwrap();
    drafts
        .last()
        .map_or(Money::zero(rules.price_book.currency()), |draft| {
            draft.statement.total
        })
}

fn random_meter(random: &mut Rng, rules: &MeterRules) -> MeterState {
    let meter = MeterState::new(LedgerId::live(client().id));
    let money = |random: &mut Rng| Money {
        minor: random.i64(0..900),
        currency: rules.price_book.currency(),
    };
    let mut limits = Vec::new();
    if random.bool() {
        limits.push(Limit::Lookups(Some(random.u64(..50))));
    }
    if random.bool() {
        limits.push(Limit::Money(Some(money(random))));
    }
    limits.iter().fold(meter, |meter, limit| {
        meter.with_limit(*limit, &rules.price_book).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(tier::volume(300, 10_000)))]

    #[test]
    fn quote_equals_the_next_charges(seed: u64) {
        let mut random = Rng::with_seed(seed);
        let rules = random_step::rules(&mut random);
        let mut now = START;
        let mut meter = random_meter(&mut random, &rules);
        for _ in 0..4 {
            let units = random.u64(1..30);
            let quote = meter.quote(Some(&rules.price_book), &rules, units, now);
            let (after, free, charged) = look_up(meter, &rules, units, now);
            match quote {
                Ok(quote) => {
                    prop_assert_eq!((quote.units, quote.free, quote.charged), (units, free, charged));
                    prop_assert_eq!(free + charged, units, "a quoted lookup was rejected");
                    // The lookups may begin a new period, whose charges are zero before them.
                    let is_current = meter.is_current_period(now);
                    let charges_before = if is_current { total(meter, &rules, now) } else { Money::zero(quote.amount.currency) };
                    prop_assert_eq!(quote.charges_before, charges_before);
                    prop_assert_eq!(quote.amount.minor, total(after, &rules, now).minor - charges_before.minor);
                }
                Err(QuoteError::CapReached { remaining, .. }) => {
                    prop_assert!(remaining < units);
                    prop_assert_eq!(remaining, free + charged);
                }
                Err(QuoteError::Overflow) => prop_assert!(false, "the amounts are small"),
            }
            meter = after;
            now = now.saturating_add(Duration::from_hours(random.u64(..400)));
        }
    }
}

/// Returns a price book with borders after 10, 100 and 400 paid lookups, whose prices end in fractions of a cent.
fn book(mode: PricingMode) -> PriceBook {
    let price = |tenths_of_a_cent: u64| UnitPrice::from_pico(tenths_of_a_cent * 1_000_000_000);
    let tier = |up_to, price, flat_fee| Tier {
        up_to,
        unit_price: price,
        flat_fee,
    };
    PriceBook::new(PriceBookParts {
        name: "borders".to_owned(),
        version: 1,
        currency: "USD".parse().unwrap(),
        mode,
        tiers: vec![
            tier(Some(10), price(15), 0),
            tier(Some(100), price(7), 500),
            tier(Some(400), price(3), 0),
            tier(None, price(1), 0),
        ],
    })
    .unwrap()
}

#[test]
fn quotes_near_tier_limits_equal_the_invoice() {
    for mode in [PricingMode::Graduated, PricingMode::Volume] {
        let rules = MeterRules {
            allowance: 5,
            price_book: book(mode).into(),
            ..MeterRules::default()
        };
        for units in 1..=500 {
            let meter = MeterState::new(LedgerId::live(client().id));
            let quote = meter.quote(None, &rules, units, START).unwrap();
            let (after, ..) = look_up(meter, &rules, units, START);
            assert_eq!(
                quote.amount,
                total(after, &rules, START),
                "{units} lookups, {mode:?}"
            );
        }
    }
}

#[test]
fn overflowing_quote_is_an_error() {
    let price = UnitPrice::from_pico(u64::MAX);
    let tiers = vec![Tier {
        up_to: None,
        unit_price: price,
        flat_fee: 0,
    }];
    let parts = PriceBookParts {
        name: "dear".to_owned(),
        version: 1,
        currency: "USD".parse().unwrap(),
        mode: PricingMode::Graduated,
        tiers,
    };
    let rules = MeterRules {
        allowance: 0,
        price_book: PriceBook::new(parts).unwrap().into(),
        ..MeterRules::default()
    };
    let meter = MeterState::new(LedgerId::live(client().id));
    assert_eq!(
        meter.quote(None, &rules, u64::MAX, START),
        Err(QuoteError::Overflow)
    );
}
