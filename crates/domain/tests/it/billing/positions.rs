//! Position of each lookup in its period, computed from the rows alone.

use super::reference_pricing;
use super::world::{Attempt, BillingSimulation};
use std::collections::HashMap;
use voight_domain::billing::Money;
use voight_domain::metering::{Commitment, LedgerRow, LookupRow, RowKind};

/// Row of a lookup, with the totals of its period up to and including it.
#[derive(Clone, Copy)]
pub(crate) struct LookupPosition<'a> {
    pub(crate) seq: u64,
    pub(crate) row: LookupRow,
    /// The attempt that wrote the row.
    pub(crate) attempt: &'a Attempt,
    /// The attempt that began the period, whose price book bills it.
    pub(crate) first: &'a Attempt,
    /// Number of earlier periods.
    pub(crate) period: usize,
    pub(crate) free: u64,
    pub(crate) paid: u64,
    /// The maximum cost of any number of paid lookups up to this one, in minor units.
    ///
    /// Under a volume price book more lookups may cost less.
    pub(crate) most: i64,
}

impl<'a> LookupPosition<'a> {
    fn after(
        before: Option<&Self>,
        row: &LedgerRow,
        period: usize,
        attempts: &Attempts<'a>,
    ) -> Self {
        let RowKind::Lookup(lookup) = row.kind else {
            panic!("row {} is a marker", row.seq)
        };
        let attempt = attempts[&lookup.commitment];
        let first = before.map_or(attempt, |place| place.first);
        let (free, paid) = before.map_or((0, 0), |place| (place.free, place.paid));
        let free = free + u64::from(lookup.free);
        let paid_count = paid + u64::from(!lookup.free);
        let previous_max = before.map_or(0, |place| place.most);
        let max_cost = if lookup.free {
            previous_max
        } else {
            previous_max.max(reference_pricing::minor(
                &first.rules.price_book,
                paid_count,
            ))
        };
        Self {
            seq: row.seq,
            row: lookup,
            attempt,
            first,
            period,
            free,
            paid: paid_count,
            most: max_cost,
        }
    }

    /// Returns `true` if an amount is in the currency of the period.
    pub(crate) fn can_compare(&self, amount: Money) -> bool {
        amount.currency == self.first.rules.price_book.currency()
    }

    /// Lookups of the period.
    pub(crate) const fn billable(&self) -> u64 {
        self.free + self.paid
    }
}

/// Attempts by the rows that they wrote.
type Attempts<'a> = HashMap<Commitment, &'a Attempt>;

/// Returns the position of every lookup that has a row, in order.
pub(crate) fn cut_points(world: &BillingSimulation) -> Vec<LookupPosition<'_>> {
    let attempts: Attempts<'_> = world
        .attempts
        .iter()
        .map(|attempt| (attempt.commitment, attempt))
        .collect();
    let mut places: Vec<LookupPosition<'_>> = Vec::new();
    for (period, rows) in world
        .rows
        .split(|row| matches!(row.kind, RowKind::PeriodEnd(_)))
        .enumerate()
    {
        for row in rows {
            let previous_position = places.last().filter(|place| place.period == period);
            let place = LookupPosition::after(previous_position, row, period, &attempts);
            places.push(place);
        }
    }
    places
}
