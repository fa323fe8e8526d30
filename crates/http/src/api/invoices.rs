//! `GET /api/v1/invoices`: lists the invoices of the calling key's client, in pages.

use super::number::number;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{Authorized, Query, RequestInput, UsageAccess};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use voight_api::ErrorId;
use voight_api::admin::Invoice;
use voight_api::openapi::{Operation, ResponseBody, optional_query};

/// Path of the endpoint.
pub(super) const PATH: &str = "/api/v1/invoices";

/// Default number of invoices in a page.
const LIMIT: usize = 20;
/// Maximum number of invoices in a page.
const LIMIT_MAX: usize = 100;

/// Page of invoices.
#[derive(Debug, Serialize)]
struct InvoicesOfClient {
    /// Invoices, ordered by number, the newest last.
    invoices: Vec<Invoice>,
    /// Number after which the next page starts; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PageQuery {
    after: Option<String>,
    limit: Option<String>,
}

/// Parsed page request.
pub(crate) struct PageInput {
    after: u32,
    limit: usize,
}

impl RequestInput for PageInput {
    async fn read(request: &HttpRequest, _: Payload) -> Result<Self, ApiError> {
        let Query(asked) = Query::<PageQuery>::parse(request)?;
        let after = number(asked.after.as_deref(), 0).ok_or_else(|| {
            ApiError::invalid("after is the number of an invoice, as the member next of the page before names it.")
        })?;
        let limit = number(asked.limit.as_deref(), LIMIT).filter(|limit| (1..=LIMIT_MAX).contains(limit));
        let limit = limit.ok_or_else(|| {
            ApiError::invalid(format!("limit is a number from 1 to {LIMIT_MAX}; the default is {LIMIT}."))
        })?;
        Ok(Self { after, limit })
    }
}

pub(super) async fn handle(
    state: web::Data<AppState>,
    Authorized { caller, input: PageInput { after, limit }, .. }: Authorized<UsageAccess, PageInput>,
) -> Result<HttpResponse, ApiError> {
    // Sandbox lookups are never billed.
    if caller.is_test() {
        return Ok(success(true, &InvoicesOfClient { invoices: Vec::new(), next: None }));
    }
    let mut found = state.services.store.invoices(caller.holder.client.id, after, limit + 1).await?;
    let more = found.len() > limit;
    found.truncate(limit);
    let next = found.last().filter(|_| more).map(|invoice| invoice.id.number);
    let invoices = found.iter().map(Invoice::from).collect();
    Ok(success(false, &InvoicesOfClient { invoices, next }))
}

pub(super) fn operation() -> Operation {
    let after = json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX, "default": 0 });
    let limit = json!({ "type": "integer", "minimum": 1, "maximum": LIMIT_MAX, "default": LIMIT });
    Operation {
        method: "get",
        path: PATH,
        id: "listInvoices",
        summary: "The client's invoices",
        description: "By number, the newest last, void ones included. A sandbox key has none. The read itself is never billed. \
            Needs the scope usage:read.",
        needs_key: true,
        parameters: vec![
            optional_query("after", "Number of the invoice after which the page starts.", after),
            optional_query("limit", "Maximum number of invoices in the response.", limit),
        ],
        request: None,
        answer: ResponseBody::Enveloped("InvoicesOfClient"),
        headers: &[],
        errors: &[ErrorId::InvalidRequest],
    }
}

/// Returns the schema of a page.
pub(super) fn schema() -> Value {
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
