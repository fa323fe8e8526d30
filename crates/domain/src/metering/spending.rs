//! Spending limits of a client in a period: a hard cap and a budget with alerts.
//!
//! Amounts are converted to numbers of paid lookups once, when they are set and when a period begins with another price
//! book. A lookup then compares two integers and computes no price.

use crate::billing::{Money, PriceBook};
use crate::codec::{DecodeError, Decoder, Encoder};

/// Spending limits of one meter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SpendingLimits {
    /// The hard cap.
    pub cap: Option<MoneyCap>,
    /// The budget, which raises alerts.
    pub budget: Option<Budget>,
}

/// Hard cap in money, for each period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoneyCap {
    /// The maximum cost of a period.
    pub amount: Money,
    /// The maximum number of paid lookups within the amount.
    pub max_charged_lookups: u64,
}

/// Budget for each period; lookups beyond it are not blocked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The budget.
    pub amount: Money,
    /// The minimum number of paid lookups that costs 80 % of the budget.
    pub at_80: u64,
    /// The minimum number of paid lookups that costs the whole budget.
    pub at_100: u64,
}

impl MoneyCap {
    /// Creates a cap under this price book.
    pub fn new(amount: Money, book: &PriceBook) -> Self {
        Self {
            amount,
            max_charged_lookups: book.max_lookups_within(amount.minor),
        }
    }
}

impl Budget {
    /// Creates a budget under this price book.
    pub fn new(amount: Money, book: &PriceBook) -> Self {
        // Rounded up: at 79.9 % the alert of 80 % is not raised.
        let four_fifths = (i128::from(amount.minor) * 4 + 4).div_euclid(5);
        let four_fifths = i64::try_from(four_fifths).unwrap_or(i64::MAX);
        Self {
            amount,
            at_80: book.min_lookups_costing(four_fifths),
            at_100: book.min_lookups_costing(amount.minor),
        }
    }
}

impl SpendingLimits {
    /// Returns the limits under another price book. A limit in another currency keeps its number of lookups, because
    /// there is no exchange rate.
    #[must_use]
    pub fn repriced(self, book: &PriceBook) -> Self {
        let comparable = |amount: Money| amount.currency == book.currency();
        Self {
            cap: self.cap.map(|cap| {
                if comparable(cap.amount) {
                    MoneyCap::new(cap.amount, book)
                } else {
                    cap
                }
            }),
            budget: self.budget.map(|old| {
                if comparable(old.amount) {
                    Budget::new(old.amount, book)
                } else {
                    old
                }
            }),
        }
    }

    pub(super) fn encode(&self, out: &mut Encoder) {
        out.option(self.cap, |out, cap| {
            cap.amount.encode(out);
            out.uint(cap.max_charged_lookups);
        });
        out.option(self.budget, |out, budget| {
            budget.amount.encode(out);
            out.uint(budget.at_80).uint(budget.at_100);
        });
    }

    pub(super) fn decode(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            cap: input.option(|input| {
                Ok(MoneyCap {
                    amount: Money::decode(input)?,
                    max_charged_lookups: input.uint()?,
                })
            })?,
            budget: input.option(|input| {
                Ok(Budget {
                    amount: Money::decode(input)?,
                    at_80: input.uint()?,
                    at_100: input.uint()?,
                })
            })?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::billing::{Currency, PriceBookParts, PricingMode, Tier, charge_lines, sum_of_lines};
    use proptest::prelude::*;

    fn dollars(minor: i64) -> Money {
        Money {
            minor,
            currency: Currency::USD,
        }
    }

    #[test]
    fn cap_in_money_becomes_a_lookup_count() {
        let book = PriceBook::example(Currency::USD);
        // 1,002 lookups cost 2.004 dollars, which is rounded to 2.00; 1,003 cost 2.01.
        assert_eq!(MoneyCap::new(dollars(200), &book).max_charged_lookups, 1002);
        assert_eq!(MoneyCap::new(dollars(0), &book).max_charged_lookups, 2);
        let budget = Budget::new(dollars(200), &book);
        assert_eq!((budget.at_80, budget.at_100), (798, 998));
    }

    #[test]
    fn foreign_limit_keeps_its_lookup_count() {
        let limits = SpendingLimits {
            cap: Some(MoneyCap::new(
                dollars(200),
                &PriceBook::example(Currency::USD),
            )),
            budget: None,
        };
        assert_eq!(
            limits.repriced(&PriceBook::example("EUR".parse().unwrap())),
            limits
        );
    }

    proptest! {
        #[test]
        fn cap_count_is_exact(
            prices in proptest::collection::vec((1_u64..50, 0_u64..3_000_000_000_000, 0_u64..500), 1..5),
            volume: bool,
            amount in 0_i64..5_000,
        ) {
            let mut end = 0;
            let count = prices.len();
            let tiers = prices.into_iter().enumerate().map(|(place, (width, pico, flat_fee))| {
                end += width;
                let up_to = (place + 1 < count).then_some(end);
                Tier { up_to, unit_price: crate::billing::UnitPrice::from_pico(pico), flat_fee }
            });
            let mode = if volume { PricingMode::Volume } else { PricingMode::Graduated };
            let name = "random".to_owned();
            let currency = Currency::USD;
            let tiers = tiers.collect();
            let book = PriceBook::new(PriceBookParts { name, version: 1, currency, mode, tiers }).unwrap();
            let price = |lookups| charge_lines(&book, lookups).and_then(|lines| sum_of_lines(&lines, Currency::USD)).unwrap().minor;
            let cap = MoneyCap::new(dollars(amount), &book).max_charged_lookups;
            for paid in 0..=cap.min(300) {
                prop_assert!(price(paid) <= amount);
            }
            if cap < 300 {
                prop_assert!(price(cap + 1) > amount);
            }
            let min_lookups = book.min_lookups_costing(amount);
            prop_assert!(min_lookups > 300 || price(min_lookups) >= amount);
            prop_assert!((1..min_lookups.min(300)).all(|lookups| price(lookups) < amount));
        }
    }
}
