//! `Idempotency-Key` header.

use crate::error::ApiError;
use actix_web::HttpRequest;
use actix_web::http::header::HeaderName;
use voight_domain::vocabulary::{IdempotencyKey, IdempotencyKeyError};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Returns the caller's idempotency key, if it sent one. A malformed or repeated key is rejected.
pub(crate) fn idempotency_key(request: &HttpRequest) -> Result<Option<IdempotencyKey>, ApiError> {
    let mut keys = request.headers().get_all(&IDEMPOTENCY_KEY);
    let Some(first) = keys.next() else {
        return Ok(None);
    };
    if keys.next().is_some() {
        return Err(ApiError::invalid(
            "The Idempotency-Key header is repeated; send it once.",
        ));
    }
    let key = first
        .to_str()
        .map_err(|_| IdempotencyKeyError)
        .and_then(str::parse);
    key.map(Some)
        .map_err(|error: IdempotencyKeyError| ApiError::invalid(format!("{error}.")))
}
