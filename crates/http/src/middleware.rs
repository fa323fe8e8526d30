//! What runs around every handler.

mod admit;
mod around;
mod observe;
mod panics;
mod permit;
mod request_id;
mod unread;

pub(crate) use admit::{Admission, shed_load};
pub(crate) use around::request_context;
pub(crate) use panics::catch_panics;
pub(crate) use permit::RequestPermit;
pub use request_id::RequestId;

use crate::error::ApiError;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::{HttpResponse, ResponseError};

/// What a middleware answers with.
pub(crate) type MiddlewareResult = Result<ServiceResponse<BoxBody>, actix_web::Error>;

/// Ends a request with an error, as an answer like any other: what runs further out still sees it.
pub(crate) fn refuse(request: ServiceRequest, error: &ApiError) -> ServiceResponse<BoxBody> {
    request.into_response(error.error_response())
}

/// An error that a service handed on instead of answering becomes an answer.
fn into_response<B: MessageBody + 'static>(
    request: &actix_web::HttpRequest,
    result: Result<ServiceResponse<B>, actix_web::Error>,
) -> ServiceResponse<BoxBody> {
    match result {
        Ok(answer) => answer.map_into_boxed_body(),
        Err(error) => ServiceResponse::new(request.clone(), HttpResponse::from_error(error)),
    }
}
