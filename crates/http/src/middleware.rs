//! Middleware of all handlers.

mod body_drain;
mod load_shed;
mod observe;
mod panics;
mod permit;
mod request_context;
mod request_id;
mod response_body;

pub(crate) use body_drain::{hold_body_until_response, share_chunked_body};
pub(crate) use load_shed::{Admission, acquire_platform_permit, enforce_request_limits, shed_load};
pub(crate) use observe::LogSpan;
pub(crate) use panics::{catch_panics, panicked};
pub(crate) use permit::RequestPermit;
pub(crate) use request_context::{add_common_headers, mark_connection_busy, request_context};
pub use request_id::RequestId;

use crate::error::ApiError;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::{HttpResponse, ResponseError};

/// Result of a middleware.
pub(crate) type MiddlewareResult = Result<ServiceResponse<BoxBody>, actix_web::Error>;

/// Rejects a request with an error response, which outer middleware still processes.
pub(crate) fn reject(request: ServiceRequest, error: &ApiError) -> ServiceResponse<BoxBody> {
    request.into_response(error.error_response())
}

/// Converts an error that a service returned into a response.
fn into_response<B: MessageBody + 'static>(
    request: &actix_web::HttpRequest,
    result: Result<ServiceResponse<B>, actix_web::Error>,
) -> ServiceResponse<BoxBody> {
    match result {
        Ok(answer) => answer.map_into_boxed_body(),
        Err(error) => ServiceResponse::new(request.clone(), HttpResponse::from_error(error)),
    }
}
