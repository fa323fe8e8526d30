//! What invoices carry forward to each other.

use super::{AuditError, ListedInvoice};
use crate::billing::{Currency, Money};
use crate::invoicing::InvoiceState;
use std::collections::HashSet;

/// The most balances that are followed at a time; beyond, too many invoices were taken back to say what is carried forward.
const MAX_TRACKED_BALANCES: usize = 4096;

/// What the invoices so far leave for the next one, for each currency.
#[derive(Debug, Default)]
pub(super) struct Balances {
    forward: Vec<Money>,
    taken_back: Vec<VoidedInvoice>,
}

/// An invoice that was taken back at a time that no row or invoice tells: after it was issued, and before the one that stands in
/// for it.
#[derive(Debug)]
struct VoidedInvoice {
    number: u32,
    currency: Currency,
    /// What that adds to the balance.
    adds: i128,
}

impl Balances {
    /// Takes the next invoice, if what it begins with is what the ones before it leave.
    ///
    /// Those that were taken back meanwhile change the balance, each once. Which of them had been taken back by then is not in the
    /// export, so every combination is right.
    pub(super) fn invoice(&mut self, invoice: &ListedInvoice) -> Result<(), AuditError> {
        let currency = invoice.carried.currency;
        let left = self.forward.iter().find(|left| left.currency == currency).copied();
        let left = left.unwrap_or(Money::zero(currency));
        if !self.is_possible(left, invoice.carried) {
            let (number, said) = (invoice.id.number, invoice.carried);
            return Err(AuditError::BalanceMismatch { number, said, left });
        }
        let forward = Money { minor: invoice.total.minor.min(0), currency };
        self.forward.retain(|other| other.currency != currency);
        self.forward.push(forward);
        self.taken_back.retain(|taken| Some(taken.number) != invoice.replaces);
        let adds = i128::from(invoice.carried.minor) - i128::from(forward.minor);
        if adds != 0 && matches!(invoice.state, InvoiceState::Void { .. }) {
            self.taken_back.push(VoidedInvoice { number: invoice.id.number, currency, adds });
        }
        Ok(())
    }

    fn is_possible(&self, left: Money, carried: Money) -> bool {
        let mut sums = HashSet::from([i128::from(left.minor)]);
        for taken in self.taken_back.iter().filter(|taken| taken.currency == left.currency) {
            let more: Vec<_> = sums.iter().map(|sum| sum + taken.adds).collect();
            sums.extend(more);
            if sums.len() > MAX_TRACKED_BALANCES {
                return true;
            }
        }
        sums.contains(&i128::from(carried.minor))
    }
}
