//! Reference implementation of the price computation, in exact rational numbers.

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use voight_domain::billing::{PriceBook, PricingMode};

/// Returns the cost of `paid` lookups, in minor units. Follows the text of the pricing rules and shares no code with
/// the product: the tier of each range, the exact cost of the range, and then the nearest whole minor unit.
pub(crate) fn minor(book: &PriceBook, paid: u64) -> i64 {
    let mut sum = 0;
    let mut start = 0_u64;
    for tier in book.tiers() {
        let end = tier.up_to.unwrap_or(u64::MAX);
        let quantity = match book.mode() {
            PricingMode::Graduated => paid.min(end).saturating_sub(start),
            PricingMode::Volume if start < paid && paid <= end => paid,
            PricingMode::Volume => 0,
        };
        if quantity > 0 {
            let price = BigRational::new(tier.unit_price.as_pico().into(), 10_u64.pow(12).into());
            let minor = price
                * BigRational::from_integer(quantity.into())
                * BigRational::from_integer(10_u64.pow(book.currency().decimal_places()).into());
            let half = BigRational::new(1.into(), 2.into());
            assert!(minor >= BigRational::zero());
            sum += (minor + half).floor().to_integer().to_i64().unwrap()
                + i64::try_from(tier.flat_fee).unwrap();
        }
        start = end;
    }
    sum
}
