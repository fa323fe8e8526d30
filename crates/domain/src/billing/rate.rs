//! From paid lookups to lines.

use super::{Currency, Mode, Money, PriceBook, Tier, UnitPrice};

/// A line of an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// The tier, counted from 1.
    pub tier: usize,
    /// What it charges.
    pub kind: LineKind,
    /// How much that is.
    pub amount: Money,
}

/// What a line charges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// Lookups.
    Lookups {
        /// The first of them, counted from 1 over the paid lookups of the period.
        first: u64,
        /// The last of them.
        last: u64,
        /// What each costs.
        unit_price: UnitPrice,
    },
    /// The flat fee of a tier that was reached.
    FlatFee,
}

/// An amount that is too large to be counted in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the amount is too large to be counted")]
pub struct OutOfRange;

/// The lines for the first `paid` paid lookups of a period: for each tier that is reached its lookups, and its flat fee if
/// it has one. Each line is rounded once, half away from zero, and nothing else is.
pub fn rate(book: &PriceBook, paid: u64) -> Result<Vec<Line>, OutOfRange> {
    let reached = book.tiers().iter().scan(0, |before, tier| {
        let first = *before + 1;
        *before = tier.up_to.unwrap_or(u64::MAX);
        Some((first, tier))
    });
    let reached = (1..).zip(reached).take_while(|(_, (first, _))| *first <= paid);
    let mut lines = Vec::new();
    match book.mode() {
        Mode::Graduated => {
            for (number, (first, tier)) in reached {
                let last = tier.up_to.map_or(paid, |up_to| up_to.min(paid));
                add(&mut lines, book.currency(), number, tier, (first, last))?;
            }
        }
        Mode::Volume => {
            if let Some((number, (_, tier))) = reached.last() {
                add(&mut lines, book.currency(), number, tier, (1, paid))?;
            }
        }
    }
    Ok(lines)
}

/// The sum of lines.
pub fn total(lines: &[Line], currency: Currency) -> Result<Money, OutOfRange> {
    lines.iter().try_fold(Money::zero(currency), |sum, line| sum.plus(line.amount))
}

fn add(
    lines: &mut Vec<Line>,
    currency: Currency,
    number: usize,
    tier: &Tier,
    (first, last): (u64, u64),
) -> Result<(), OutOfRange> {
    let minor = tier.unit_price.times(last - first + 1, currency.places()).ok_or(OutOfRange)?;
    let kind = LineKind::Lookups { first, last, unit_price: tier.unit_price };
    lines.push(Line { tier: number, kind, amount: Money { minor, currency } });
    if tier.flat_fee > 0 {
        let minor = i64::try_from(tier.flat_fee).map_err(|_| OutOfRange)?;
        lines.push(Line { tier: number, kind: LineKind::FlatFee, amount: Money { minor, currency } });
    }
    Ok(())
}
