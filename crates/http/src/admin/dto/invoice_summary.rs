//! Lists of invoices.

use super::{Client, Money, Period};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::invoicing;

/// An invoice in a list: what it comes to, without its lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InvoiceSummary {
    /// `<client id>-<number>`.
    pub id: String,
    /// The client.
    pub client_id: String,
    /// Its name when the invoice was issued.
    pub client: String,
    /// The invoice's number within the client.
    pub number: u32,
    /// `open`, `paid`, `void` or `uncollectible`.
    pub state: String,
    /// What is billed.
    pub period: Period,
    /// When it was issued.
    pub issued_at: String,
    /// The number of the void invoice that it stands in for.
    pub replaces: Option<u32>,
    /// The sum of its lines.
    pub total: Money,
    /// What is to be paid.
    pub due: Money,
}

/// What to close; without any member, whatever is over of every client.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CloseRequest {
    /// Only this client, by name or id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The month in which a period began that has to be over, `2026-11`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<String>,
}

/// Why an invoice is voided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VoidRequest {
    /// The reason; it is printed on the invoice.
    pub reason: String,
}

/// A client that was closed for good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClosedClient {
    /// The client.
    #[serde(flatten)]
    pub client: Client,
    /// The invoices that were issued for it, its last one at the end.
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
            state: invoice.state.as_str().to_owned(),
            period: statement.period.into(),
            issued_at: invoice.issued_at.to_string(),
            replaces: invoice.replaces,
            total: statement.total.into(),
            due: statement.due().into(),
        }
    }
}
