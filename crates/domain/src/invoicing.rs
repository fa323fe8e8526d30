//! From ended periods to invoices: statements, credits, balances, numbers, states. Pure; a store calls it inside its step.

mod account;
mod adjustment;
mod close;
mod invoice;
mod outstanding;
mod statement;
mod void;

pub use account::Account;
pub use adjustment::{Adjustment, AdjustmentKind, NewAdjustment};
pub use close::{BillingFacts, Close, CloseError, CloseStep, CloseWrite, Draft, close, drafts};
pub use invoice::{Invoice, InvoiceChange, InvoiceError, InvoiceId, InvoiceIdError, InvoiceState};
pub use outstanding::outstanding;
pub use statement::Statement;
pub(crate) use statement::Usage;
pub use void::{VoidError, VoidWrite, void};
