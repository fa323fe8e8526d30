//! `POST /window/v1/checks/{check}/complete`: evaluates the evidence, consumes the challenge and returns the receipt.

use super::call::WindowCall;
use super::check_headers::CheckHeaders;
use crate::envelope::success;
use crate::error::ApiError;
use crate::state::AppState;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;

/// Response body: the receipt of the completed check. No finding leaves the service.
#[derive(Debug, Serialize)]
struct Completed {
    receipt: String,
}

pub(super) async fn complete(
    call: WindowCall,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let CheckHeaders { check, challenge, work } = CheckHeaders::from_http_request(&request);
    let completed = state.services.checks.complete_check(&check, &challenge, &work).await;
    let receipt = completed.map_err(|error| call.reject(&state, error))?;
    Ok(success(&Completed { receipt }))
}
