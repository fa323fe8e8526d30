//! `GET /admin/v1/contexts/{context}/verdicts/{address}`: a verdict with its evidence and event history.

use super::subject;
use crate::envelope::success;
use crate::error::ApiError;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;

/// Maximum number of events in the response; the latest are returned.
const EVENTS: usize = 100;

pub(super) async fn explain(
    path: web::Path<(String, String)>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let (context, address) = subject(&state, &path).await?;
    let explanation = state
        .services
        .operator
        .explain(&context, &address, EVENTS)
        .await?;
    Ok(success(&admin::Explanation::from_explanation(
        address,
        &explanation,
    )))
}
