//! A panic in a handler is a 500 in the envelope, and the worker lives on.

use super::{MiddlewareResult, into_response};
use crate::error::ApiError;
use crate::error_table::ErrorId;
use actix_web::ResponseError;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;

/// Catches panics of extractors and handler.
///
/// It wraps a route, not the app: the router needs the request to itself, and a copy has to be kept to answer with.
pub(crate) async fn catch_panics(request: ServiceRequest, next: Next<impl MessageBody + 'static>) -> MiddlewareResult {
    Ok(run_catching(request, next).await)
}

/// The answer of what is behind, or a 500 if that panicked.
pub(super) async fn run_catching(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> ServiceResponse<BoxBody> {
    let copy = request.request().clone();
    // After a panic the future is never polled again, so what it left half-done is not seen.
    if let Ok(result) = AssertUnwindSafe(next.call(request)).catch_unwind().await {
        return into_response(&copy, result);
    }
    tracing::error!("a handler panicked");
    ServiceResponse::new(copy, ApiError::new(ErrorId::Internal).error_response())
}
