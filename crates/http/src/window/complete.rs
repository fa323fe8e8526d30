//! `POST /window/v1/checks/{check}/complete`: evaluates the evidence, consumes the challenge and returns the receipt.

use super::call::{CheckHeaders, WindowCall};
use crate::error::ApiError;
use crate::metrics::CheckStep;
use crate::state::AppState;
use actix_web::web;
use serde::Serialize;
use voight_api::route::EmptyBody;

/// Response body: the receipt of the completed check. No finding leaves the service.
#[derive(Debug, Serialize)]
pub(super) struct Completed {
    receipt: String,
}

pub(super) async fn complete(
    call: WindowCall<EmptyBody>,
    state: web::Data<AppState>,
) -> Result<Completed, ApiError> {
    let CheckHeaders {
        check,
        challenge,
        work,
    } = call.check_headers();
    let receipt = state
        .services
        .checks
        .complete_check(&check, &challenge, &work)
        .await;
    let completed = receipt
        .map(|receipt| Completed { receipt })
        .map_err(|error| call.reject(&state, error));
    state.metrics.record_step(CheckStep::Complete, &completed);
    completed
}
