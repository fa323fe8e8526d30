//! `GET /admin/v1/contexts/{context}/verdicts/{address}`: what is known of an address, and what it rests on.

use super::subject;
use crate::admin::dto;
use crate::envelope::success;
use crate::error::ApiError;
use crate::state::AppState;
use actix_web::{HttpResponse, web};

/// How many of the latest events are shown.
const EVENTS: usize = 100;

pub(super) async fn explain(
    path: web::Path<(String, String)>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let (context, address) = subject(&state, &path).await?;
    let known = state.services.operator.explain(&context, &address, EVENTS).await?;
    Ok(success(false, &dto::Explanation::from_explanation(address, &known)))
}
