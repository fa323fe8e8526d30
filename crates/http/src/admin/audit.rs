//! Audit log, and exports of ledgers for audits.

use super::bulk_read::audited;
use super::error::{from_store_error, parsed};
use super::query::PageQuery;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{NoQuery, Query};
use crate::operator::Caller;
use crate::state::AppState;
use crate::streamed_body::{NDJSON, StreamedBody};
use actix_web::{HttpResponse, web};
use serde::Deserialize;
use std::io::Write;
use tokio::runtime::Handle;
use voight_api::admin;
use voight_api::ledger_export::write_line;
use voight_domain::ledger_audit::ExportSeal;
use voight_domain::metering::LedgerId;
use voight_domain::ports::StoreError;
use voight_domain::registry::Permission;
use voight_domain::services::{BulkRead, LedgerExport, Openings};
use voight_domain::vocabulary::Environment;

/// `GET /admin/v1/audit`: audit records, oldest first.
pub(super) async fn list(
    query: Query<PageQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let (after, limit) = query.page()?;
    let records = state
        .services
        .operator
        .audit_log(after.unwrap_or(0), limit)
        .await?;
    let audit_records: Vec<_> = records.iter().map(admin::AuditRecord::from).collect();
    Ok(success(&audit_records))
}

/// `GET /admin/v1/audit/head`: the end of the log.
pub(super) async fn head(
    _: Query<NoQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    Ok(success(&admin::AuditHead::from(
        state.services.operator.audit_head().await?,
    )))
}

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

/// `GET /admin/v1/audit/export`: a client's ledger as lines that can be verified without the service. No envelope.
pub(super) async fn export(
    query: Query<LedgerExportQuery>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let environment = query
        .environment
        .as_deref()
        .map_or(Ok(Environment::Live), |text| parsed("environment", text))?;
    let has_openings = query
        .openings
        .as_deref()
        .map_or(Ok(false), |text| parsed("openings", text))?;
    let openings = if has_openings {
        Openings::Included
    } else {
        Openings::Omitted
    };
    if has_openings {
        caller.require(Permission::Own)?;
    }
    let client = state.services.registry.find_client(&query.client).await?;
    let ledger = LedgerId {
        client: client.id,
        environment,
    };
    audited(&state, &caller, BulkRead::of_ledger(ledger, openings)).await?;
    let export = state
        .services
        .ledgers
        .export(client, environment, openings)
        .await
        .map_err(from_store_error)?;
    StreamedBody::respond(NDJSON, move |runtime, out| write(export, runtime, out)).await
}

/// Writes every line. Blocks the thread; `runtime` drives the calls of the store.
fn write(mut export: LedgerExport, runtime: &Handle, out: &mut dyn Write) -> Result<(), ApiError> {
    let mut seal = ExportSeal::default();
    while let Some(lines) = runtime
        .block_on(export.next_lines())
        .map_err(from_store_error)?
    {
        for line in &lines {
            let text = write_line(line);
            seal.add(&text);
            put(out, &text)?;
        }
    }
    put(out, &write_line(&export.trailer(&seal)))
}

/// Writes a line. A failure means that the reader has disconnected; the response has begun, so the error cannot be returned.
fn put(out: &mut dyn Write, line: &str) -> Result<(), ApiError> {
    let write_result = out
        .write_all(line.as_bytes())
        .and_then(|()| out.write_all(b"\n"));
    write_result.map_err(|error| from_store_error(StoreError::NotApplied(error.to_string())))
}
