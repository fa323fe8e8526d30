//! Invoices of a client.

use crate::admin::Invoice;
use serde::Serialize;
use utoipa::ToSchema;

/// Page of invoices.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvoicesOfClient {
    /// Invoices, ordered by number, the newest last.
    pub invoices: Vec<Invoice>,
    /// Value of `after` for the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, nullable = false)]
    pub next: Option<u32>,
}
