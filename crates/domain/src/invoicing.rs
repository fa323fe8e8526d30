//! Invoicing of ended periods: statements, credits, balances, numbers, states. Pure; a store calls it inside its
//! transaction.

mod account;
mod adjustment;
mod close;
mod invoice;
mod outstanding;
mod statement;
mod void;

pub use account::Account;
pub use adjustment::{Adjustment, AdjustmentKind, NewAdjustment};
pub use close::{
    BillingFacts, CloseError, CloseRequest, CloseScope, CloseStep, CloseWrite, DraftInvoice, close,
    draft_invoices,
};
pub use invoice::{Invoice, InvoiceChange, InvoiceError, InvoiceId, InvoiceIdError, InvoiceState};
pub use outstanding::outstanding;
pub(crate) use statement::PeriodUsage;
pub use statement::Statement;
pub use void::{VoidError, VoidWrite, void};
