//! Lists of invoices.

use super::{Client, InvoiceStatus, Money, Period};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::invoicing;

/// Invoice in a list: its totals, without its lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InvoiceSummary {
    /// Invoice id: `<client id>-<number>`.
    pub id: String,
    /// Client id.
    pub client_id: String,
    /// Client name at the time of issue.
    pub client: String,
    /// Invoice number within the client.
    pub number: u32,
    /// State of the invoice.
    pub state: InvoiceStatus,
    /// Billing period.
    pub period: Period,
    /// Time of issue.
    pub issued_at: String,
    /// Number of the void invoice that this invoice replaces.
    pub replaces: Option<u32>,
    /// Sum of the lines.
    pub total: Money,
    /// Amount due.
    pub due: Money,
}

/// Periods to close. If no member is set, all completed periods of all clients are closed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CloseRequest {
    /// Client name or id; only periods of this client are closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// Month in which the period began, for example `2026-11`. The period must be completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<String>,
}

/// Request to void an invoice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VoidRequest {
    /// Reason, printed on the invoice.
    pub reason: String,
}

/// Client that was closed permanently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClosedClient {
    /// The client.
    #[serde(flatten)]
    pub client: Client,
    /// Invoices that were issued by the request, the final one last.
    pub invoices: Vec<InvoiceSummary>,
}

impl From<&invoicing::Invoice> for InvoiceSummary {
    fn from(invoice: &invoicing::Invoice) -> Self {
        let statement = &invoice.statement;
        Self {
            id: invoice.id.to_string(),
            client_id: invoice.id.client.to_string(),
            client: invoice.name.to_string(),
            number: invoice.id.number,
            state: (&invoice.state).into(),
            period: statement.period.into(),
            issued_at: invoice.issued_at.to_string(),
            replaces: invoice.replaces,
            total: statement.total.into(),
            due: statement.due().into(),
        }
    }
}
