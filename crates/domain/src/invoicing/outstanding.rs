//! Outstanding balance of a client.

use super::{BillingFacts, Invoice, InvoiceState};
use crate::billing::{AmountOverflow, Currency, Money};
use std::collections::BTreeMap;

/// Returns the outstanding amount of a client in each currency.
///
/// The sum of the open invoices, the pending adjustments and the balance carried forward. Negative for an amount owed
/// to the client; the running period is not included.
///
/// # Errors
///
/// [`AmountOverflow`] if a sum is too large.
pub fn outstanding(
    facts: &BillingFacts,
    invoices: &[Invoice],
    currency: Currency,
) -> Result<Vec<Money>, AmountOverflow> {
    let open = invoices
        .iter()
        .filter(|invoice| invoice.state == InvoiceState::Open);
    let due_amounts = open.map(|invoice| invoice.statement.due());
    let pending_amounts = facts
        .pending_adjustments
        .iter()
        .map(|adjustment| adjustment.amount);
    let carried_amounts = facts.account.balances().iter().copied();
    let mut sums = BTreeMap::from([(currency.to_string(), Money::zero(currency))]);
    for amount in due_amounts.chain(pending_amounts).chain(carried_amounts) {
        let sum = sums
            .entry(amount.currency.to_string())
            .or_insert(Money::zero(amount.currency));
        *sum = sum.checked_add(amount)?;
    }
    Ok(sums.into_values().collect())
}
