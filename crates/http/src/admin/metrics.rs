//! `GET /metrics`: counters as OpenMetrics text.

use crate::error::ApiError;
use crate::error_table::ErrorId;
use crate::state::AppState;
use actix_web::{HttpResponse, web};

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub(super) async fn show(state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let store = &state.services.store;
    state.metrics.store_is(&store.health(), &store.upkeep().unwrap_or_default());
    state.metrics.fired(state.services.checks.sightings().take());
    let text = state.metrics.text().map_err(|_| ErrorId::Internal)?;
    Ok(HttpResponse::Ok().content_type(OPEN_METRICS).body(text))
}
