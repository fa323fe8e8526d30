//! Voiding of an invoice.

use super::{Account, Adjustment, Invoice, InvoiceChange, InvoiceError};
use crate::billing::{AmountOverflow, Money};
use crate::metering::EndedPeriod;
use crate::vocabulary::Timestamp;

/// Changes that a store writes when an invoice is voided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoidWrite {
    /// The voided invoice.
    pub invoice: Invoice,
    /// The period, which needs another invoice.
    pub period: EndedPeriod,
    /// The adjustments, which are pending again.
    pub adjustments: Vec<Adjustment>,
    /// The account, as if the invoice had not been issued.
    pub account: Account,
}

/// Error of voiding an invoice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VoidError {
    /// The invoice is not open.
    #[error(transparent)]
    State(#[from] InvoiceError),
    /// The balance is too large.
    #[error(transparent)]
    OutOfRange(#[from] AmountOverflow),
}

/// Voids an open invoice. The balance that it used returns to the account, and the balance that it passed on is
/// removed: if a later invoice has already used that, the next one compensates for it.
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
    let account = account.plus(statement.carried_forward)?.plus(Money {
        minor: back,
        ..forward
    })?;
    let adjustments = statement
        .adjustments
        .iter()
        .map(|adjustment| Adjustment {
            invoice: None,
            ..adjustment.clone()
        })
        .collect();
    let period = EndedPeriod {
        invoice: None,
        last_voided_invoice: Some(invoice.id.number),
        ..period
    };
    Ok(VoidWrite {
        invoice,
        period,
        adjustments,
        account,
    })
}
