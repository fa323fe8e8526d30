//! Converts a panic in a handler into a 500 in the envelope, and keeps the worker alive.

use super::{MiddlewareResult, into_response};
use crate::error::ApiError;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{HttpResponse, ResponseError};
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use voight_api::ErrorId;

/// Catches panics of extractors and handler.
///
/// Wraps a route, not the app: the router needs exclusive access to the request, and a copy of the request is kept for the
/// error response.
pub(crate) async fn catch_panics(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> MiddlewareResult {
    Ok(run_catching(request, next).await)
}

/// Returns the response of the inner service, or a 500 if it panicked.
pub(super) async fn run_catching(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> ServiceResponse<BoxBody> {
    let copy = request.request().clone();
    // After a panic the future is never polled again, so its inconsistent state is not observable.
    if let Ok(result) = AssertUnwindSafe(next.call(request)).catch_unwind().await {
        return into_response(&copy, result);
    }
    ServiceResponse::new(copy, panicked())
}

/// Logs a panic of a handler, and returns its response.
pub(crate) fn panicked() -> HttpResponse {
    tracing::error!("a handler panicked");
    ApiError::new(ErrorId::Internal).error_response()
}
