//! A body within its limits of size and time.

use crate::error::ApiError;
use crate::error_table::ErrorId;
use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::{self, Bytes};
use actix_web::{FromRequest, HttpRequest};
use std::time::Duration;

/// Reads a body of at most `limit` bytes that arrives within `patience`: else 413 or 408.
pub async fn read_body(
    request: &HttpRequest,
    mut payload: Payload,
    limit: usize,
    patience: Duration,
) -> Result<Bytes, ApiError> {
    let too_large =
        || ApiError::with_message(ErrorId::PayloadTooLarge, format!("The body is larger than {limit} bytes."));
    // A body that declares itself too large is refused before a byte of it is read.
    if declared_length(request).is_some_and(|length| length > limit) {
        return Err(too_large());
    }
    let stream = web::Payload::from_request(request, &mut payload).await.map_err(|_| incomplete())?;
    match tokio::time::timeout(patience, stream.to_bytes_limited(limit)).await {
        Err(_) => Err(ErrorId::RequestTimeout.into()),
        Ok(Err(_)) => Err(too_large()),
        Ok(Ok(read)) => read.map_err(|_| incomplete()),
    }
}

fn incomplete() -> ApiError {
    ApiError::invalid("The body ended early or was framed wrongly; send it again.")
}

fn declared_length(request: &HttpRequest) -> Option<usize> {
    request.headers().get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}
