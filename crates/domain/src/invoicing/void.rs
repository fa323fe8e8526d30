//! Taking an invoice back.

use super::{Account, Adjustment, Invoice, InvoiceChange, InvoiceError};
use crate::billing::{AmountOverflow, Money};
use crate::metering::EndedPeriod;
use crate::vocabulary::Timestamp;

/// What a store has to write when an invoice is taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoidWrite {
    /// The invoice, void.
    pub invoice: Invoice,
    /// Its period, which waits for another invoice.
    pub period: EndedPeriod,
    /// Its adjustments, which wait again.
    pub adjustments: Vec<Adjustment>,
    /// The account, as if the invoice had never been.
    pub account: Account,
}

/// Why an invoice cannot be taken back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VoidError {
    /// It is not open.
    #[error(transparent)]
    State(#[from] InvoiceError),
    /// The balance is too large.
    #[error(transparent)]
    OutOfRange(#[from] AmountOverflow),
}

/// Takes an open invoice back. What it had been given from before returns to the account, and what it has left there is taken
/// out again: if a later invoice has used that already, the next one makes up for it.
pub fn void(
    invoice: Invoice,
    reason: String,
    period: EndedPeriod,
    account: Account,
    now: Timestamp,
) -> Result<VoidWrite, VoidError> {
    let invoice = invoice.with_change(InvoiceChange::Void { reason }, now)?;
    let statement = &invoice.statement;
    let forward = statement.carried_forward();
    let back = forward.minor.checked_neg().ok_or(AmountOverflow)?;
    let account = account.plus(statement.carried_forward)?.plus(Money { minor: back, ..forward })?;
    let adjustments = statement.adjustments.iter().map(|made| Adjustment { invoice: None, ..made.clone() }).collect();
    let period = EndedPeriod { invoice: None, last_voided_invoice: Some(invoice.id.number), ..period };
    Ok(VoidWrite { invoice, period, adjustments, account })
}
