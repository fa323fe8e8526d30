//! Account of a client: the last assigned numbers, and the balances carried forward.

use crate::billing::{AmountOverflow, Currency, Money};

/// Billing account of a client.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Account {
    /// The number of the last invoice.
    pub last_invoice_number: u32,
    /// The number of the last credit or correction.
    pub last_adjustment_number: u32,
    /// Opening balance of the next invoice in each currency.
    ///
    /// Negative for an amount owed to the client, never zero.
    balances: Vec<Money>,
}

impl Account {
    /// Creates an account with these balances.
    pub fn new(invoices: u32, adjustments: u32, balances: Vec<Money>) -> Self {
        let empty = Self {
            last_invoice_number: invoices,
            last_adjustment_number: adjustments,
            balances: Vec::new(),
        };
        balances.into_iter().fold(empty, Self::with_balance)
    }

    /// Returns the balances carried forward, one for each currency.
    pub fn balances(&self) -> &[Money] {
        &self.balances
    }

    /// Returns the balance carried forward in this currency.
    pub fn balance(&self, currency: Currency) -> Money {
        let balance = self
            .balances
            .iter()
            .find(|balance| balance.currency == currency);
        balance.copied().unwrap_or(Money::zero(currency))
    }

    /// Returns the account with this balance in its currency.
    #[must_use]
    pub fn with_balance(mut self, balance: Money) -> Self {
        self.balances
            .retain(|entry| entry.currency != balance.currency);
        if balance.minor != 0 {
            self.balances.push(balance);
        }
        self
    }

    /// Returns the account with this amount added to the balance.
    pub fn plus(self, amount: Money) -> Result<Self, AmountOverflow> {
        let balance = self.balance(amount.currency).checked_add(amount)?;
        Ok(self.with_balance(balance))
    }
}
