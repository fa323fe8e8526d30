//! Usage of clients.

use super::bulk_read::audited;
use super::error::{from_store_error, parsed};
use super::resolve::clients_of;
use crate::api::usage::{api_error, parse_date_range};
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Query;
use crate::operator::Caller;
use crate::scan_pool::ScanOrigin;
use crate::state::AppState;
use crate::streamed_body::StreamedBody;
use actix_web::{HttpResponse, web};
use serde::Deserialize;
use std::io::Write;
use tokio::runtime::Handle;
use voight_api::usage_formats::ExportFormat;
use voight_api::{ErrorId, admin};
use voight_domain::metering::{LedgerId, LookupCounts, Period};
use voight_domain::registry::Client;
use voight_domain::services::{BulkRead, LedgerRange, LedgerService, NameCache};
use voight_domain::vocabulary::Environment;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UsageQuery {
    client: Option<String>,
    from: Option<String>,
    to: Option<String>,
}

/// `GET /admin/v1/usage`: lookups of each client in the current period or in a date range.
pub(super) async fn show(
    Query(query): Query<UsageQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let from = query.from.as_deref();
    let to = query.to.as_deref();
    let span = if from.or(to).is_some() {
        Some(parse_date_range(&state, from, to)?)
    } else {
        None
    };
    let mut clients = Vec::new();
    for client in clients_of(&state, query.client.as_deref()).await? {
        clients.push(match span {
            Some(span) => line_of_span(&state, &client, span).await?,
            None => admin::UsageLine::from(&state.services.operator.usage(client).await?),
        });
    }
    Ok(success(&admin::Usage { clients }))
}

async fn line_of_span(
    state: &AppState,
    client: &Client,
    span: Period,
) -> Result<admin::UsageLine, ApiError> {
    let live = counts(state, client, Environment::Live, span).await?;
    Ok(admin::UsageLine::of_span(
        client,
        live,
        counts(state, client, Environment::Sandbox, span).await?,
    ))
}

async fn counts(
    state: &AppState,
    client: &Client,
    environment: Environment,
    span: Period,
) -> Result<LookupCounts, ApiError> {
    let ledgers = state.services.ledgers.clone();
    let ledger = LedgerId {
        client: client.id,
        environment,
    };
    let read_counts = async move { ledgers.usage(ledger, span).await };
    let usage_counts = state
        .scan_pool
        .run(ScanOrigin::Operators, read_counts)
        .await?;
    Ok(usage_counts.map_err(api_error)?.total)
}

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

/// `GET /admin/v1/usage/export`: streams the lookups of a client one by one, without an envelope.
pub(super) async fn export(
    Query(query): Query<UsageExportQuery>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let format: ExportFormat = parsed("format", &query.format)?;
    let environment = query
        .environment
        .as_deref()
        .map_or(Ok(Environment::Live), |word| parsed("environment", word))?;
    let span = parse_date_range(&state, query.from.as_deref(), query.to.as_deref())?;
    let client = state.services.registry.find_client(&query.client).await?.id;
    let ledgers = state.services.ledgers.clone();
    let ledger = LedgerId {
        client,
        environment,
    };
    let range = ledgers
        .range(ledger, span)
        .await
        .map_err(from_store_error)?;
    let bulk_read = BulkRead::of_usage(ledger, &query.format, span);
    audited(&state, &caller, bulk_read).await?;
    StreamedBody::respond(format.media_type(), move |runtime, out| {
        write(runtime, &ledgers, &range, format, out)
    })
    .await
}

/// Writes a ledger range page by page. Runs on a thread that may block.
fn write(
    runtime: &Handle,
    ledgers: &LedgerService,
    range: &LedgerRange,
    format: ExportFormat,
    out: &mut dyn Write,
) -> Result<(), ApiError> {
    // Writing fails only if the reader has disconnected, so the error is not reported.
    let map_write_error =
        |outcome: std::io::Result<()>| outcome.map_err(|_| ApiError::from(ErrorId::Internal));
    let mut names = NameCache::default();
    let mut after = Some(0);
    map_write_error(format.begin(out))?;
    while let Some(from) = after {
        let page = runtime.block_on(ledgers.records(range, &mut names, from, PAGE))?;
        map_write_error(format.write(&page.records, out))?;
        after = page.next;
    }
    Ok(())
}
