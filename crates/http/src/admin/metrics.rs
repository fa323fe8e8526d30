//! `GET /metrics`: metrics in the OpenMetrics text format.

use crate::error::ApiError;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::ErrorId;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub(super) async fn show(state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let store = &state.services.maintenance;
    state
        .metrics
        .set_store_status(&store.health(), &store.status().unwrap_or_default());
    state
        .metrics
        .record_rule_hits(state.services.checks.rule_hits().drain());
    let text = state.metrics.render().map_err(|_| ErrorId::Internal)?;
    Ok(HttpResponse::Ok().content_type(OPEN_METRICS).body(text))
}
