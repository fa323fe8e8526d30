//! `POST /admin/v1/contexts/{context}/verdicts/{address}/override`: sets the verdict and starts a new epoch.

use super::subject;
use crate::admin::caller::Caller;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Json;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;

pub(super) async fn override_verdict(
    path: web::Path<(String, String)>,
    Json(body): Json<admin::OverrideRequest>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let (context, address) = subject(&state, &path).await?;
    let admin::OverrideRequest {
        verdict: to,
        reason,
    } = body;
    let explanation = state
        .services
        .operator
        .acting_as(&caller.actor)
        .override_verdict(&context, address, to.into(), reason)
        .await?;
    Ok(success(&admin::Explanation::from_explanation(
        address,
        &explanation,
    )))
}
