//! Error of a call.

use std::fmt;

/// Error of a call that returns no result. Its text is advice for developers, and never has the API key.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Error {
    /// Code for programs: a code of the API in lower case, or one of the SDK.
    pub code: String,
    /// Cause and remedy, for developers.
    pub message: String,
    /// Id of the cause in the error table; empty for an error of the SDK.
    pub id: String,
    /// HTTP status; 0 if there was no response.
    pub status: u16,
    /// `true` if the same call can succeed later.
    pub retryable: bool,
    /// Seconds until a retry can succeed, as in the header `Retry-After`.
    pub retry_after: Option<f64>,
    /// `x-request-id` of the response, by which the operator finds it in the log.
    pub request_id: String,
    /// Number of lookups that a cap still allows, with the code `quota_exceeded` of a batch or a quote.
    pub remaining: Option<u64>,
}

impl Error {
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Self {
        Self {
            code: code.to_owned(),
            message: message.into(),
            id: String::new(),
            status: 0,
            retryable: false,
            retry_after: None,
            request_id: String::new(),
            remaining: None,
        }
    }

    /// Returns the error of an option that is invalid.
    pub(crate) fn invalid(name: &str, expected: &str) -> Self {
        Self::new("invalid_argument", format!("{name} must be {expected}."))
    }

    /// Returns `true` if the service could not answer. `fail_open` covers these errors only.
    #[must_use]
    pub fn is_outage(&self) -> bool {
        self.code == "unreachable" || matches!(self.status, 402 | 429) || self.status >= 500
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Error {}
