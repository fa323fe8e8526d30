//! `GET /admin/v1/usage/export`: streams the lookups of a client one by one, without an envelope.

use super::bulk_read::audited;
use super::caller::Caller;
use super::error::{from_store_error, parsed};
use crate::api::date_range::parse_date_range;
use crate::error::ApiError;
use crate::extract::Query;
use crate::state::AppState;
use crate::streamed_body::StreamedBody;
use actix_web::{HttpResponse, web};
use serde::Deserialize;
use std::io::Write;
use tokio::runtime::Handle;
use voight_api::ErrorId;
use voight_api::usage_formats::ExportFormat;
use voight_domain::metering::LedgerId;
use voight_domain::services::{BulkRead, LedgerRange, LedgerService, NameCache};
use voight_domain::vocabulary::Environment;

/// Maximum number of rows in memory.
const PAGE: usize = 1_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UsageExportQuery {
    client: String,
    format: String,
    environment: Option<String>,
    from: Option<String>,
    to: Option<String>,
}

pub(super) async fn show(
    Query(asked): Query<UsageExportQuery>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let format: ExportFormat = parsed("format", &asked.format)?;
    let environment = asked
        .environment
        .as_deref()
        .map_or(Ok(Environment::Live), |word| parsed("environment", word))?;
    let span = parse_date_range(&state, asked.from.as_deref(), asked.to.as_deref())?;
    let client = state
        .services
        .registrar
        .find_client(&asked.client)
        .await?
        .id;
    let ledgers = state.services.ledgers.clone();
    let ledger = LedgerId {
        client,
        environment,
    };
    let stretch = ledgers
        .range(ledger, span)
        .await
        .map_err(from_store_error)?;
    let read = BulkRead::of_usage(ledger, &asked.format, span);
    audited(&state, &caller, read).await?;
    StreamedBody::respond(format.media_type(), move |runtime, out| {
        write(runtime, &ledgers, &stretch, format, out)
    })
    .await
}

/// Writes a ledger range page by page. Runs on a thread that may block.
fn write(
    runtime: &Handle,
    ledgers: &LedgerService,
    stretch: &LedgerRange,
    format: ExportFormat,
    out: &mut dyn Write,
) -> Result<(), ApiError> {
    // Writing fails only if the reader has disconnected, so the error is not reported.
    let written =
        |outcome: std::io::Result<()>| outcome.map_err(|_| ApiError::from(ErrorId::Internal));
    let (mut names, mut after) = (NameCache::default(), Some(0));
    written(format.begin(out))?;
    while let Some(from) = after {
        let page = runtime.block_on(ledgers.records(stretch, &mut names, from, PAGE))?;
        written(format.write(&page.records, out))?;
        after = page.next;
    }
    Ok(())
}
