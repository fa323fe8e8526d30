//! Reads a request body within limits of size and time.

use crate::error::ApiError;
use crate::pipeline::RequestPermit;
use crate::spool::{SpoolFile, spool_error};
use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::{self, Bytes, BytesMut};
use actix_web::{FromRequest, HttpRequest};
use futures_core::Stream as _;
use std::future::poll_fn;
use std::io::Write;
use std::pin::Pin;
use std::time::Duration;
use voight_api::ErrorId;

/// Reads a body of at most `limit` bytes that arrives within the timeout; otherwise returns 413 or 408. The request holds no
/// permit while its body is received; it fails with 503 if no permit is free afterwards.
pub async fn read_body(
    request: &HttpRequest,
    payload: Payload,
    limit: usize,
    timeout: Duration,
) -> Result<Bytes, ApiError> {
    let permit = RequestPermit::find(request);
    let mut receiving_permit = None;
    let mut body = BytesMut::new();
    let keep = |part: &[u8]| {
        // The bytes of a body in memory count for its sender until it has arrived.
        if let Some(permit) = permit.as_deref() {
            permit.receive(&mut receiving_permit, part.len())?;
        }
        body.extend_from_slice(part);
        Ok(())
    };
    receive_body(request, payload, limit, timeout, keep).await?;
    Ok(body.freeze())
}

/// Reads a body of at most `limit` bytes into a temporary file, which is then positioned at its beginning. Limits, timeout and
/// permit are those of [`read_body`], but the bytes occupy no memory.
pub(crate) async fn spool_body(
    request: &HttpRequest,
    payload: Payload,
    mut file: SpoolFile,
    limit: usize,
    timeout: Duration,
) -> Result<SpoolFile, ApiError> {
    let keep = |part: &[u8]| file.write_all(part).map_err(|error| spool_error(&error));
    receive_body(request, payload, limit, timeout, keep).await?;
    file.rewind().map_err(|error| spool_error(&error))?;
    Ok(file)
}

/// Passes the parts of a body to `keep`, within the limits.
async fn receive_body(
    request: &HttpRequest,
    mut payload: Payload,
    limit: usize,
    timeout: Duration,
    keep: impl FnMut(&[u8]) -> Result<(), ApiError>,
) -> Result<(), ApiError> {
    let too_large = || {
        ApiError::with_message(
            ErrorId::PayloadTooLarge,
            format!("The body is larger than {limit} bytes."),
        )
    };
    // A body whose declared length is too large is rejected before it is read.
    if declared_length(request).is_some_and(|length| length > limit) {
        return Err(too_large());
    }
    let stream = web::Payload::from_request(request, &mut payload)
        .await
        .map_err(|_| incomplete())?;
    let permit = RequestPermit::find(request);
    if let Some(permit) = &permit {
        permit.suspend();
    }
    let is_complete = tokio::time::timeout(timeout, receive(stream, limit, keep))
        .await
        .map_err(|_| ErrorId::RequestTimeout)??;
    permit.map_or(Ok(()), |permit| permit.resume())?;
    if is_complete {
        Ok(())
    } else {
        Err(too_large())
    }
}

/// Passes the parts of a body to `keep`; returns `false` if it is larger than `limit` bytes.
async fn receive(
    mut stream: web::Payload,
    limit: usize,
    mut keep: impl FnMut(&[u8]) -> Result<(), ApiError>,
) -> Result<bool, ApiError> {
    let mut length = 0;
    while let Some(part) = poll_fn(|context| Pin::new(&mut stream).poll_next(context)).await {
        let part = part.map_err(|_| incomplete())?;
        length += part.len();
        if length > limit {
            return Ok(false);
        }
        keep(&part)?;
    }
    Ok(true)
}

fn incomplete() -> ApiError {
    ApiError::invalid("The body ended early or was framed wrongly; send it again.")
}

fn declared_length(request: &HttpRequest) -> Option<usize> {
    request
        .headers()
        .get(header::CONTENT_LENGTH)?
        .to_str()
        .ok()?
        .parse()
        .ok()
}
