//! Rate limit headers.

use super::RateLimitState;
use crate::header_texts::{HeaderText, append_number, append_value, insert_texts};
use actix_web::http::header::{HeaderMap, HeaderName};
use actix_web::web::Bytes;

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// Capacity of the buffer of both values, enough for usual names and numbers.
const VALUES_BYTES: usize = 80;

/// Headers with the rate limit state of an authenticated caller.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RateLimitHeaders(pub(crate) RateLimitState);

impl RateLimitHeaders {
    /// Writes `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10).
    pub(crate) fn write(self, headers: &mut HeaderMap) {
        let mut texts = Vec::with_capacity(VALUES_BYTES);
        let values = self.append(&mut texts);
        insert_texts(headers, &Bytes::from(texts), values);
    }

    /// Appends the values of both headers to `texts`.
    pub(crate) fn append(self, texts: &mut Vec<u8>) -> [HeaderText; 2] {
        let RateLimitState {
            name,
            burst,
            window,
            remaining,
            reset,
        } = self.0;
        let mut header = |header, parameters: [(&str, u32); 2]| {
            append_value(texts, header, |texts| {
                texts.push(b'"');
                texts.extend_from_slice(name.as_bytes());
                texts.push(b'"');
                for (parameter, number) in parameters {
                    texts.extend_from_slice(parameter.as_bytes());
                    append_number(texts, number);
                }
            })
        };
        [
            header(RATE_LIMIT_POLICY, [(";q=", burst), (";w=", window)]),
            header(RATE_LIMIT, [(";r=", remaining), (";t=", reset)]),
        ]
    }
}
