//! Charge lines of paid lookups.

use super::{AmountOverflow, Currency, Money, PriceBook, PricingMode, Tier, UnitPrice};
use std::ops::RangeInclusive;

/// Charge line of an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChargeLine {
    /// The tier, counted from 1.
    pub tier: usize,
    /// The kind of the charge.
    pub kind: ChargeKind,
    /// The amount of the charge.
    pub amount: Money,
}

/// Kind of a charge line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChargeKind {
    /// Charge for lookups.
    Lookups {
        /// The first lookup, counted from 1 over the paid lookups of the period.
        first: u64,
        /// The last lookup.
        last: u64,
        /// The price of each lookup.
        unit_price: UnitPrice,
    },
    /// The flat fee of a tier that was reached.
    FlatFee,
}

/// Returns the charge lines for the first `paid` paid lookups of a period.
///
/// Each reached tier has a line for its lookups, and one for its flat fee if it has a fee. Each line is rounded once,
/// half away from zero, and nothing else is.
///
/// ```
/// use voight_domain::billing::{Currency, PriceBook, charge_lines, sum_of_lines};
///
/// let book = PriceBook::example(Currency::USD);
/// let lines = charge_lines(&book, 150_000)?;
/// assert_eq!(lines.len(), 2);
/// assert_eq!(lines[0].amount.amount_text(), "200.00");
/// assert_eq!(sum_of_lines(&lines, book.currency())?, book.price(150_000)?);
/// # Ok::<(), voight_domain::billing::AmountOverflow>(())
/// ```
pub fn charge_lines(book: &PriceBook, paid: u64) -> Result<Vec<ChargeLine>, AmountOverflow> {
    let tiers = book.tiers().iter().scan(0, |previous_up_to, tier| {
        let first = *previous_up_to + 1;
        *previous_up_to = tier.up_to.unwrap_or(u64::MAX);
        Some((first, tier))
    });
    let reached_tiers = (1..)
        .zip(tiers)
        .take_while(|(_, (first, _))| *first <= paid);
    let mut lines = Vec::new();
    match book.mode() {
        PricingMode::Graduated => {
            for (number, (first, tier)) in reached_tiers {
                let last = tier.up_to.map_or(paid, |up_to| up_to.min(paid));
                add(&mut lines, book.currency(), number, tier, first..=last)?;
            }
        }
        PricingMode::Volume => {
            if let Some((number, (_, tier))) = reached_tiers.last() {
                add(&mut lines, book.currency(), number, tier, 1..=paid)?;
            }
        }
    }
    Ok(lines)
}

/// Returns the sum of the lines.
pub fn sum_of_lines(lines: &[ChargeLine], currency: Currency) -> Result<Money, AmountOverflow> {
    lines.iter().try_fold(Money::zero(currency), |sum, line| {
        sum.checked_add(line.amount)
    })
}

fn add(
    lines: &mut Vec<ChargeLine>,
    currency: Currency,
    number: usize,
    tier: &Tier,
    lookups: RangeInclusive<u64>,
) -> Result<(), AmountOverflow> {
    let (first, last) = lookups.into_inner();
    let minor = tier
        .unit_price
        .cost_of(last - first + 1, currency.decimal_places())
        .ok_or(AmountOverflow)?;
    let kind = ChargeKind::Lookups {
        first,
        last,
        unit_price: tier.unit_price,
    };
    lines.push(ChargeLine {
        tier: number,
        kind,
        amount: Money { minor, currency },
    });
    if tier.flat_fee > 0 {
        let minor = i64::try_from(tier.flat_fee).map_err(|_| AmountOverflow)?;
        lines.push(ChargeLine {
            tier: number,
            kind: ChargeKind::FlatFee,
            amount: Money { minor, currency },
        });
    }
    Ok(())
}
