//! A client's account: the numbers it has given out, and what is carried forward.

use crate::billing::{AmountOverflow, Currency, Money};

/// What a client's invoices leave behind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Account {
    /// The number of the last invoice.
    pub last_invoice_number: u32,
    /// The number of the last credit or correction.
    pub last_adjustment_number: u32,
    /// What the next invoice begins with, for each currency: negative where the client is owed. None of them is zero.
    balances: Vec<Money>,
}

impl Account {
    /// An account with these balances.
    pub fn new(invoices: u32, adjustments: u32, balances: Vec<Money>) -> Self {
        let empty = Self { last_invoice_number: invoices, last_adjustment_number: adjustments, balances: Vec::new() };
        balances.into_iter().fold(empty, Self::with_balance)
    }

    /// What is carried forward in every currency.
    pub fn balances(&self) -> &[Money] {
        &self.balances
    }

    /// What is carried forward in this currency.
    pub fn balance(&self, currency: Currency) -> Money {
        let found = self.balances.iter().find(|balance| balance.currency == currency);
        found.copied().unwrap_or(Money::zero(currency))
    }

    /// The account with this balance in its currency.
    #[must_use]
    pub fn with_balance(mut self, balance: Money) -> Self {
        self.balances.retain(|other| other.currency != balance.currency);
        if balance.minor != 0 {
            self.balances.push(balance);
        }
        self
    }

    /// The account with so much more to carry forward.
    pub fn plus(self, amount: Money) -> Result<Self, AmountOverflow> {
        let balance = self.balance(amount.currency).checked_add(amount)?;
        Ok(self.with_balance(balance))
    }
}
