//! A panic in a handler is a 500 in the envelope, and the worker lives on.

use super::{Answer, answered};
use crate::error::ApiError;
use crate::error_table::ErrorId;
use actix_web::ResponseError;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

/// Catches panics of extractors and handler.
///
/// It wraps a route, not the app: the router needs the request to itself, and a copy has to be kept to answer with.
pub(crate) async fn catch_panics(request: ServiceRequest, next: Next<impl MessageBody + 'static>) -> Answer {
    Ok(catching(request, next).await)
}

/// The answer of what is behind, or a 500 if that panicked.
pub(super) async fn catching(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> ServiceResponse<BoxBody> {
    let copy = request.request().clone();
    if let Some(result) = unwound(next.call(request)).await {
        return answered(&copy, result);
    }
    tracing::error!("a handler panicked");
    ServiceResponse::new(copy, ApiError::new(ErrorId::Internal).error_response())
}

/// The output of a future; `None` if it panicked. It is never polled again then, so what it left half-done is not seen.
async fn unwound<F: Future>(future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
        Ok(poll) => poll.map(Some),
        Err(_) => Poll::Ready(None),
    })
    .await
}
