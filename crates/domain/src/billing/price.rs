//! Total prices of paid lookups under a price book.

use super::{AmountOverflow, Money, PriceBook, charge_lines, sum_of_lines};

/// Tier whose first lookup lowers the total of a volume price book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriceDrop {
    /// The number of the tier, counted from 1.
    pub tier: usize,
    /// Number of paid lookups before the tier.
    pub at: u64,
    /// Total price of `at` lookups.
    pub before: Money,
    /// Total price of `at + 1` lookups, which is lower.
    pub after: Money,
    /// Minimum flat fee of the tier with which the total does not fall, if the tiers before it have theirs.
    pub min_flat_fee: Money,
}

impl PriceBook {
    /// Returns the price of the first `paid` paid lookups of a period.
    pub fn price(&self, paid: u64) -> Result<Money, AmountOverflow> {
        charge_lines(self, paid).and_then(|lines| sum_of_lines(&lines, self.currency()))
    }

    /// Returns the minimum number of paid lookups whose price is at least `minor` minor units.
    ///
    /// Returns `u64::MAX` if no number of lookups costs as much.
    pub fn min_lookups_costing(&self, minor: i64) -> u64 {
        self.min_lookups_where(|price| price >= minor)
    }

    /// Returns the maximum number of paid lookups up to which no price exceeds `minor` minor units.
    pub fn max_lookups_within(&self, minor: i64) -> u64 {
        self.min_lookups_where(|price| price > minor)
            .saturating_sub(1)
    }

    /// Returns the minimum number of paid lookups, from 1, whose price satisfies `is_there`.
    ///
    /// The condition must be monotonic in the price. Within a tier prices never fall, so each tier is binary searched.
    fn min_lookups_where(&self, predicate: impl Fn(i64) -> bool) -> u64 {
        // A price that overflows is above every amount.
        let is_met = |paid_lookups| {
            predicate(
                self.price(paid_lookups)
                    .map_or(i64::MAX, |price| price.minor),
            )
        };
        let mut first = 1;
        for tier in self.tiers() {
            let last = tier.up_to.unwrap_or(u64::MAX);
            if is_met(last) {
                return partition_point(first, last, is_met);
            }
            first = last.saturating_add(1);
        }
        u64::MAX
    }

    /// Returns the tiers whose first lookup lowers the total.
    ///
    /// Only a volume price book has any. A price book without any is monotonic: its total never falls as lookups are added.
    pub fn price_drops(&self) -> Vec<PriceDrop> {
        let mut drops = Vec::new();
        // Amount by which the minimum flat fee of the tier before raises the total.
        let mut flat_fee_increase = 0;
        for (number, (previous_tier, tier)) in
            (2..).zip(self.tiers().iter().zip(self.tiers().iter().skip(1)))
        {
            let Some(at) = previous_tier.up_to else { break };
            // An amount that overflows is above every other.
            let (Ok(before), Ok(after)) = (self.price(at), self.price(at.saturating_add(1))) else {
                break;
            };
            flat_fee_increase = before
                .minor
                .saturating_add(flat_fee_increase)
                .saturating_sub(after.minor)
                .max(0);
            if after.minor < before.minor {
                let minor = i64::try_from(tier.flat_fee)
                    .unwrap_or(i64::MAX)
                    .saturating_add(flat_fee_increase);
                let min_flat_fee = Money {
                    minor,
                    currency: self.currency(),
                };
                drops.push(PriceDrop {
                    tier: number,
                    at,
                    before,
                    after,
                    min_flat_fee,
                });
            }
        }
        drops
    }
}

/// Returns the minimum number from `first` to `last` that satisfies `is_there`.
///
/// `last` must satisfy it, and so must every number after the first that does.
fn partition_point(mut first: u64, mut last: u64, is_there: impl Fn(u64) -> bool) -> u64 {
    while first < last {
        let middle = first + (last - first) / 2;
        if is_there(middle) {
            last = middle;
        } else {
            first = middle + 1;
        }
    }
    first
}
