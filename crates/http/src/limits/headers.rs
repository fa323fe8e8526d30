//! What callers are told of their limit.

use super::RateLimitState;
use crate::header_value::header_value;
use actix_web::http::header::{HeaderMap, HeaderName};
use std::fmt;

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// What an authenticated caller may still do; kept beside the request, so that every answer to it can carry the headers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RateLimitHeaders(pub(crate) RateLimitState);

impl RateLimitHeaders {
    /// Writes `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10).
    pub(crate) fn write(self, headers: &mut HeaderMap) {
        let RateLimitState { name, burst, window, remaining, reset } = self.0;
        let mut set = |header, text: fmt::Arguments<'_>| {
            if let Some(value) = header_value(text) {
                headers.insert(header, value);
            }
        };
        set(RATE_LIMIT_POLICY, format_args!(r#""{name}";q={burst};w={window}"#));
        set(RATE_LIMIT, format_args!(r#""{name}";r={remaining};t={reset}"#));
    }
}
