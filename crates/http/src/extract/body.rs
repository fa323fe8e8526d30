//! Reads a request body within limits of size and time.

use crate::error::ApiError;
use crate::middleware::RequestPermit;
use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::{self, Bytes, BytesMut};
use actix_web::{FromRequest, HttpRequest};
use futures_core::Stream as _;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;
use voight_api::ErrorId;

/// Reads a body of at most `limit` bytes that arrives within the timeout; otherwise returns 413 or 408. The request holds no
/// permit while its body is received; it fails with 503 if no permit is free afterwards.
pub async fn read_body(
    request: &HttpRequest,
    mut payload: Payload,
    limit: usize,
    timeout: Duration,
) -> Result<Bytes, ApiError> {
    let too_large =
        || ApiError::with_message(ErrorId::PayloadTooLarge, format!("The body is larger than {limit} bytes."));
    // A body whose declared length is too large is rejected before it is read.
    if declared_length(request).is_some_and(|length| length > limit) {
        return Err(too_large());
    }
    let stream = web::Payload::from_request(request, &mut payload).await.map_err(|_| incomplete())?;
    let permit = RequestPermit::of(request);
    if let Some(permit) = &permit {
        permit.suspend();
    }
    let received = match tokio::time::timeout(timeout, receive(stream, limit, permit.as_deref())).await {
        Err(_) => return Err(ErrorId::RequestTimeout.into()),
        Ok(received) => received?,
    };
    permit.map_or(Ok(()), |permit| permit.resume())?;
    received.ok_or_else(too_large)
}

/// Returns the body, or `None` if it is larger than `limit` bytes. Its bytes count for `permit` until it has arrived.
async fn receive(
    mut stream: web::Payload,
    limit: usize,
    permit: Option<&RequestPermit>,
) -> Result<Option<Bytes>, ApiError> {
    let mut received = permit.and_then(RequestPermit::received);
    let mut body = BytesMut::new();
    while let Some(part) = poll_fn(|context| Pin::new(&mut stream).poll_next(context)).await {
        let part = part.map_err(|_| incomplete())?;
        if body.len() + part.len() > limit {
            return Ok(None);
        }
        if let (Some(permit), Some(received)) = (permit, received.as_mut()) {
            permit.add(received, part.len())?;
        }
        body.extend_from_slice(&part);
    }
    Ok(Some(body.freeze()))
}

fn incomplete() -> ApiError {
    ApiError::invalid("The body ended early or was framed wrongly; send it again.")
}

fn declared_length(request: &HttpRequest) -> Option<usize> {
    request.headers().get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}
