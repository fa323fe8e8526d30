//! Limits, invoices and adjustments of a history.

use super::{DAY, HistoryState};
use crate::histories::operation::Operation;
use crate::histories::rng::Rng;
use std::sync::Arc;
use std::time::Duration;
use voight_domain::billing::{
    Currency, Money, PriceBook, PriceBookParts, PricingMode, Tier, UnitPrice,
};
use voight_domain::invoicing::{
    AdjustmentKind, CloseScope, InvoiceChange, InvoiceId, NewAdjustment,
};
use voight_domain::metering::{LedgerId, Limit};
use voight_domain::vocabulary::{Environment, Timestamp};

/// Returns a price book with two tiers that a history reaches, in dollars and quarters.
pub(super) fn book(rng: &mut Rng) -> Arc<PriceBook> {
    const QUARTER: u64 = 250_000_000_000;
    let tier = |up_to, unit_price, flat_fee| Tier {
        up_to,
        unit_price: UnitPrice::from_pico(unit_price),
        flat_fee,
    };
    let first = tier(Some(1 + rng.below(10)), 4 * QUARTER, rng.below(200));
    let mode = if rng.chance(50) {
        PricingMode::Graduated
    } else {
        PricingMode::Volume
    };
    let name = "history".to_owned();
    let currency = Currency::USD;
    let tiers = vec![first, tier(None, QUARTER, 0)];
    let book = PriceBook::new(PriceBookParts {
        name,
        version: 1,
        currency,
        mode,
        tiers,
    });
    Arc::new(book.unwrap_or_else(|_| PriceBook::example(Currency::USD)))
}

impl HistoryState {
    pub(super) fn billing(&mut self, now: Timestamp) -> Operation {
        let client = self.some_client();
        match self.rng.below(12) {
            0..3 => self.limit(),
            3..6 => {
                let scope = if self.rng.chance(4) {
                    CloseScope::IncludingCurrent
                } else {
                    CloseScope::EndedPeriods
                };
                Operation::Close(client, scope, self.rules.clone())
            }
            6..9 => self.change_invoice(),
            9..11 => {
                let kind = AdjustmentKind::Correction;
                let amount = Money {
                    minor: self.amount(2000) - 1000,
                    currency: Currency::USD,
                };
                Operation::Adjust(
                    client,
                    NewAdjustment {
                        kind,
                        amount,
                        reason: "review".to_owned(),
                    },
                )
            }
            _ => {
                let age = Duration::from_secs(self.rng.below(20) * DAY);
                // All openings that are due, because the order of their deletion depends on the store.
                Operation::ForgetOpenings(now.saturating_sub(age), usize::MAX)
            }
        }
    }

    fn limit(&mut self) -> Operation {
        let is_set = self.rng.chance(70);
        let money = Money {
            minor: self.amount(3000),
            currency: Currency::USD,
        };
        let limit = match self.rng.below(3) {
            0 => Limit::Lookups(is_set.then(|| self.rng.below(40))),
            1 => Limit::Money(is_set.then_some(money)),
            _ => Limit::Budget(is_set.then_some(money)),
        };
        let environment =
            *self
                .rng
                .pick(&[Environment::Live, Environment::Live, Environment::Sandbox]);
        let ledger = LedgerId {
            client: self.rng.pick(&self.clients).id,
            environment,
        };
        Operation::SetLimit(ledger, limit)
    }

    fn change_invoice(&mut self) -> Operation {
        let number = u32::try_from(1 + self.rng.below(3)).unwrap_or(1);
        let change = match self.rng.below(4) {
            0 => InvoiceChange::Pay,
            1 => InvoiceChange::WriteOff,
            _ => InvoiceChange::Void {
                reason: "a wrong book".to_owned(),
            },
        };
        Operation::ChangeInvoice(
            InvoiceId {
                client: self.some_client(),
                number,
            },
            change,
        )
    }

    fn amount(&mut self, below: u64) -> i64 {
        i64::try_from(self.rng.below(below)).unwrap_or(0)
    }
}
