//! Reads a request body within limits of size and time.

use crate::error::ApiError;
use crate::middleware::RequestPermit;
use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::{self, Bytes, BytesMut};
use actix_web::{FromRequest, HttpRequest};
use futures_core::Stream as _;
use std::fs::File;
use std::future::poll_fn;
use std::io::{self, Seek, Write};
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

/// Reads a body of at most `limit` bytes into an anonymous temporary file, positioned at its beginning. Limits, timeout and
/// permit are those of [`read_body`], but the bytes occupy no memory.
pub(crate) async fn spool_body(
    request: &HttpRequest,
    mut payload: Payload,
    limit: u64,
    timeout: Duration,
) -> Result<File, ApiError> {
    let too_large =
        || ApiError::with_message(ErrorId::PayloadTooLarge, format!("The body is larger than {limit} bytes."));
    if declared_length(request).is_some_and(|length| length as u64 > limit) {
        return Err(too_large());
    }
    let mut stream = web::Payload::from_request(request, &mut payload).await.map_err(|_| incomplete())?;
    let permit = RequestPermit::of(request);
    if let Some(permit) = &permit {
        permit.suspend();
    }
    let receive = async {
        let (mut file, mut received) = (tempfile::tempfile().map_err(unwritable)?, 0);
        while let Some(part) = poll_fn(|context| Pin::new(&mut stream).poll_next(context)).await {
            let part = part.map_err(|_| incomplete())?;
            received += part.len() as u64;
            if received > limit {
                return Err(too_large());
            }
            file.write_all(&part).map_err(unwritable)?;
        }
        file.rewind().map_err(unwritable)?;
        Ok(file)
    };
    let file = tokio::time::timeout(timeout, receive).await.map_err(|_| ErrorId::RequestTimeout)??;
    permit.map_or(Ok(()), |permit| permit.resume())?;
    Ok(file)
}

/// Returns the error of a temporary file that cannot be written.
#[expect(clippy::needless_pass_by_value, reason = "the argument of `map_err`")]
pub(crate) fn unwritable(error: io::Error) -> ApiError {
    tracing::warn!(%error, "a temporary file cannot be written");
    ApiError::unavailable_because(
        "A temporary file cannot be written; nothing was stored. The operator frees space in the temporary directory.",
    )
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
