//! Error type of all handlers, extractors and guards.

use crate::envelope;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::{HttpResponse, ResponseError};
use std::borrow::Cow;
use std::fmt;
use voight_api::ErrorId;
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::AddressError;

/// Authentication challenge of the public API (RFC 9110, section 15.5.2).
const CHALLENGE: &str = r#"ApiKey realm="voight", header="x-api-key""#;
/// `Retry-After` of a 503, in seconds.
const UNAVAILABLE_RETRY: u32 = 1;

/// Message of a 503 after which the outcome of the change is unknown.
const UNKNOWN_OUTCOME: &str = "The service cannot say whether this was done and billed. Ask again after the seconds that the \
    Retry-After header names; with the same Idempotency-Key it is done at most once.";

/// Error response: a row of the error table, with the details of this occurrence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiError {
    id: ErrorId,
    message: Cow<'static, str>,
    retry_after: Option<u32>,
    /// Authentication challenge of a 401.
    challenge: &'static str,
    /// Number of lookups that the cap still allows.
    remaining: Option<u64>,
}

impl ApiError {
    /// Creates the error with the message of the error table.
    pub const fn new(id: ErrorId) -> Self {
        Self {
            id,
            message: Cow::Borrowed(id.row().message),
            retry_after: None,
            challenge: CHALLENGE,
            remaining: None,
        }
    }

    /// Creates the error with its own message. The message must not contain secrets, addresses or values that a caller sent, except
    /// cells of an upload, which are quoted for the caller. No message is logged.
    pub fn with_message(id: ErrorId, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            message: message.into(),
            ..Self::new(id)
        }
    }

    /// Creates a 400 `INVALID_REQUEST` with this message.
    pub fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self::with_message(ErrorId::InvalidRequest, message)
    }

    /// Creates a 402 with its own message and the number of lookups that the cap still allows.
    pub fn quota_exceeded(message: impl Into<Cow<'static, str>>, remaining: u64) -> Self {
        Self {
            remaining: Some(remaining),
            ..Self::with_message(ErrorId::QuotaExceeded, message)
        }
    }

    /// Creates a 429 with the number of seconds after which the caller may retry.
    pub fn rate_limited(retry_after: u32) -> Self {
        Self {
            retry_after: Some(retry_after),
            ..Self::new(ErrorId::RateLimited)
        }
    }

    /// Creates a 429 with its own message and the number of seconds after which the caller may retry.
    pub fn rate_limited_because(message: impl Into<Cow<'static, str>>, retry_after: u32) -> Self {
        Self {
            message: message.into(),
            ..Self::rate_limited(retry_after)
        }
    }

    /// Creates a 503 that may be retried immediately.
    pub fn unavailable() -> Self {
        Self {
            retry_after: Some(UNAVAILABLE_RETRY),
            ..Self::new(ErrorId::Unavailable)
        }
    }

    /// Creates a 503 with its own message that may be retried immediately.
    pub fn unavailable_because(message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            message: message.into(),
            ..Self::unavailable()
        }
    }

    /// Sets the number of seconds after which the caller may retry.
    #[must_use]
    pub const fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// Sets the authentication challenge of a 401.
    #[must_use]
    pub(crate) const fn challenge(mut self, challenge: &'static str) -> Self {
        self.challenge = challenge;
        self
    }

    /// Returns the row of the error table.
    pub const fn id(&self) -> ErrorId {
        self.id
    }

    /// Returns the message for the caller.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl From<ErrorId> for ApiError {
    fn from(id: ErrorId) -> Self {
        Self::new(id)
    }
}

impl From<StoreError> for ApiError {
    /// Converts a store error to one that asks the caller to retry. The reason is logged.
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::NotApplied(_) | StoreError::Conflict(_) => {
                tracing::warn!(event = "store_call_rejected", %error, "the store rejected a call");
            }
            StoreError::MaybeApplied(_) | StoreError::Full(_) => {
                tracing::error!(event = "store_call_failed", %error, "the store failed a call");
            }
            StoreError::Corrupt(_) | StoreError::Fatal(_) => {
                tracing::error!(event = "store_stopped", %error, "the store is damaged or stopped");
            }
        }
        match error {
            StoreError::MaybeApplied(_) => Self {
                message: Cow::Borrowed(UNKNOWN_OUTCOME),
                ..Self::unavailable()
            },
            _ => Self::unavailable(),
        }
    }
}

impl From<askama::Error> for ApiError {
    /// Converts a rendering error, which is a bug: values are formatted into memory.
    fn from(error: askama::Error) -> Self {
        tracing::error!(event = "rendering_failed", %error, "a document could not be rendered");
        ErrorId::Internal.into()
    }
}

impl From<AddressError> for ApiError {
    fn from(error: AddressError) -> Self {
        match error {
            AddressError::Malformed => ErrorId::InvalidAddress.into(),
            AddressError::Checksum => ErrorId::InvalidChecksum.into(),
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ApiError {}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        envelope::status(self.id)
    }

    fn error_response(&self) -> HttpResponse {
        let mut answer = envelope::failure(self.id, &self.message, self.remaining);
        let mut set_header =
            |name: HeaderName, value: HeaderValue| answer.headers_mut().insert(name, value);
        if self.id.row().status == 401 {
            set_header(
                header::WWW_AUTHENTICATE,
                HeaderValue::from_static(self.challenge),
            );
        }
        if let Some(seconds) = self.retry_after {
            set_header(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        answer
    }
}
