//! Rate limit headers.

use super::RateLimitState;
use crate::header_value::header_value;
use actix_web::http::header::{HeaderMap, HeaderName};
use std::fmt;

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Rate limit state of an authenticated caller. It is stored with the request, so that every response to it has the headers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RateLimitHeaders(pub(crate) RateLimitState);

impl RateLimitHeaders {
    /// Writes `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10).
    pub(crate) fn write(self, headers: &mut HeaderMap) {
        self.each(|header, text| {
            if let Some(value) = header_value(text) {
                headers.insert(header, value);
            }
        });
    }

    /// Calls `set` with the name and value of each header.
    pub(crate) fn each(self, mut set: impl FnMut(HeaderName, fmt::Arguments<'_>)) {
        let RateLimitState { name, burst, window, remaining, reset } = self.0;
        set(RATE_LIMIT_POLICY, format_args!(r#""{name}";q={burst};w={window}"#));
        set(RATE_LIMIT, format_args!(r#""{name}";r={remaining};t={reset}"#));
    }
}
