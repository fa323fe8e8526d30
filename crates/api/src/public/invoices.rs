//! Invoices of a client.

use crate::admin::Invoice;
use serde::Serialize;
use serde_json::{Value, json};

/// Page of invoices.
#[derive(Debug, Serialize)]
pub struct InvoicesOfClient {
    /// Invoices, ordered by number, the newest last.
    pub invoices: Vec<Invoice>,
    /// Number after which the next page starts; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<u32>,
}

/// Returns the schema of a page.
pub(crate) fn invoices_schema() -> Value {
    json!({
        "type": "object",
        "description": "A page of invoices.",
        "additionalProperties": false,
        "required": ["invoices"],
        "properties": {
            "invoices": {
                "type": "array",
                "description": "By number, the newest last.",
                "items": { "$ref": "#/components/schemas/Invoice" },
            },
            "next": {
                "type": "integer",
                "description": "Value of `after` for the next page; absent on the last one.",
                "minimum": 1,
            },
        },
    })
}
