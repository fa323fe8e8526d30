//! `GET /metrics`: metrics in the text format that the scraper accepts.

use crate::error::ApiError;
use crate::metrics::TextFormat;
use crate::state::AppState;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use voight_api::ErrorId;

pub(super) async fn show(
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let store = &state.services.maintenance;
    state
        .metrics
        .set_store_status(&store.health(), &store.status().unwrap_or_default());
    state
        .metrics
        .record_rule_hits(state.services.checks.rule_hits().drain());
    state
        .metrics
        .record_verdicts(state.services.checks.verdict_counters().drain());
    state.metrics.set_limiter_entries(&state.limits.entries());
    state.metrics.set_backup_age(state.clock.now());
    state.metrics.set_process();
    let format = TextFormat::negotiate(&request);
    let text = state
        .metrics
        .render(format)
        .map_err(|_| ErrorId::Internal)?;
    Ok(HttpResponse::Ok()
        .content_type(format.content_type())
        .insert_header((header::VARY, "accept"))
        .body(text))
}
