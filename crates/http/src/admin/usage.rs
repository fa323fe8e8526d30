//! `GET /admin/v1/usage`: lookups of each client in the current period or in a date range.

use super::resolve::clients_of;
use crate::api::date_range::parse_date_range;
use crate::api::usage::api_error;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Query;
use crate::scan_pool::ScanOrigin;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use serde::Deserialize;
use voight_api::admin;
use voight_domain::metering::LedgerId;
use voight_domain::metering::{LookupCounts, Period};
use voight_domain::registry::Client;
use voight_domain::vocabulary::Environment::{self, Live, Sandbox};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UsageQuery {
    client: Option<String>,
    from: Option<String>,
    to: Option<String>,
}

pub(super) async fn show(
    Query(query): Query<UsageQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let (from, to) = (query.from.as_deref(), query.to.as_deref());
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
    let live = counts(state, client, Live, span).await?;
    Ok(admin::UsageLine::of_span(
        client,
        live,
        counts(state, client, Sandbox, span).await?,
    ))
}

async fn counts(
    state: &AppState,
    client: &Client,
    environment: Environment,
    span: Period,
) -> Result<LookupCounts, ApiError> {
    let (ledgers, ledger) = (
        state.services.ledgers.clone(),
        LedgerId {
            client: client.id,
            environment,
        },
    );
    let read_counts = async move { ledgers.usage(ledger, span).await };
    let usage_counts = state
        .scan_pool
        .run(ScanOrigin::Operators, read_counts)
        .await?;
    Ok(usage_counts.map_err(api_error)?.total)
}
