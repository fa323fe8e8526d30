//! Balances that invoices carry forward to each other.

use super::{AuditError, ListedInvoice};
use crate::billing::{Currency, Money};
use crate::invoicing::InvoiceState;
use std::collections::HashSet;

/// Maximum number of possible balances that are tracked.
///
/// Beyond it, too many invoices were voided to determine the balance carried forward.
const MAX_TRACKED_BALANCES: usize = 4096;

/// Balances that the invoices so far leave for the next one, one for each currency.
#[derive(Debug, Default)]
pub(super) struct Balances {
    forward: Vec<Money>,
    taken_back: Vec<VoidedInvoice>,
}

/// Voided invoice. The export does not hold the time of the voiding: it is after the issue, and before that of the
/// replacement.
#[derive(Debug)]
struct VoidedInvoice {
    number: u32,
    currency: Currency,
    /// The amount that the voiding adds to the balance.
    adds: i128,
}

impl Balances {
    /// Takes the next invoice if its opening balance matches the invoices before it.
    ///
    /// Each invoice that was voided in between changes the balance once. The export does not tell which of them had
    /// been voided by then, so every combination is accepted.
    pub(super) fn invoice(&mut self, invoice: &ListedInvoice) -> Result<(), AuditError> {
        let currency = invoice.carried.currency;
        let forward_balance = self
            .forward
            .iter()
            .find(|balance| balance.currency == currency)
            .copied();
        let forward_balance = forward_balance.unwrap_or(Money::zero(currency));
        if !self.is_possible(forward_balance, invoice.carried) {
            let number = invoice.id.number;
            let stated_balance = invoice.carried;
            return Err(AuditError::BalanceMismatch {
                number,
                stated: stated_balance,
                left: forward_balance,
            });
        }
        let forward = Money {
            minor: invoice.total.minor.min(0),
            currency,
        };
        self.forward.retain(|balance| balance.currency != currency);
        self.forward.push(forward);
        self.taken_back
            .retain(|voided_invoice| Some(voided_invoice.number) != invoice.replaces);
        let adds = i128::from(invoice.carried.minor) - i128::from(forward.minor);
        if adds != 0 && matches!(invoice.state, InvoiceState::Void { .. }) {
            self.taken_back.push(VoidedInvoice {
                number: invoice.id.number,
                currency,
                adds,
            });
        }
        Ok(())
    }

    fn is_possible(&self, balance: Money, carried: Money) -> bool {
        let mut sums = HashSet::from([i128::from(balance.minor)]);
        for taken in self
            .taken_back
            .iter()
            .filter(|voided_invoice| voided_invoice.currency == balance.currency)
        {
            let more: Vec<_> = sums.iter().map(|sum| sum + taken.adds).collect();
            sums.extend(more);
            if sums.len() > MAX_TRACKED_BALANCES {
                return true;
            }
        }
        sums.contains(&i128::from(carried.minor))
    }
}
