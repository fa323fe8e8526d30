//! `GET /admin/v1/audit/export`: a client's ledger as lines that can be verified without the service. No envelope.

use super::bulk_read::audited;
use super::caller::Caller;
use super::error::{from_store_error, parsed};
use crate::error::ApiError;
use crate::extract::Query;
use crate::ledger_export::LedgerExport;
use crate::state::AppState;
use crate::streamed_body::StreamedBody;
use actix_web::{HttpResponse, web};
use serde::Deserialize;
use std::time::Duration;
use tokio::runtime::Handle;
use voight_domain::registry::Permission;
use voight_domain::services::{BulkRead, Openings};
use voight_domain::vocabulary::Environment;

/// Timeout for a reader that reads no bytes.
const STALL_TIMEOUT: Duration = Duration::from_mins(1);
const NDJSON: &str = "application/x-ndjson";

/// Ledger and extent of an export.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LedgerExportQuery {
    /// Client name or id.
    client: String,
    /// Environment: `live` (default) or `test`.
    environment: Option<String>,
    /// `true` to include the addresses behind the commitments.
    openings: Option<String>,
}

pub(super) async fn show(
    query: Query<LedgerExportQuery>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let environment = query.environment.as_deref().map_or(Ok(Environment::Live), |text| parsed("environment", text))?;
    let has_openings = query.openings.as_deref().map_or(Ok(false), |text| parsed("openings", text))?;
    let openings = if has_openings { Openings::Included } else { Openings::Omitted };
    if has_openings {
        caller.demand(Permission::Own)?;
    }
    let client = state.services.registrar.find_client(&query.client).await?;
    audited(&state, &caller, BulkRead::of_ledger(client.id, environment, openings)).await?;
    let export = LedgerExport::start(&state, client, environment, openings).await.map_err(from_store_error)?;
    let runtime = Handle::current();
    let body = StreamedBody::spawn(STALL_TIMEOUT, move |out| export.write(&runtime, out)).await?;
    Ok(HttpResponse::Ok().content_type(NDJSON).streaming(body))
}
