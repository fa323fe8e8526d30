//! Request id, by which a response is found in the log.

use crate::state::AppState;
use actix_web::HttpRequest;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use data_encoding::HEXLOWER;

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const MAX_LENGTH: usize = 64;

/// Id of a request: the caller's own if it is 1 to 64 characters of `A-Z a-z 0-9 . _ -`, otherwise a generated one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    pub(crate) fn from_request_or_new(request: &HttpRequest, state: &AppState) -> Self {
        let sent_id = request
            .headers()
            .get(&X_REQUEST_ID)
            .filter(|value| is_fit(value.as_bytes()));
        sent_id.cloned().map_or_else(|| Self::draw(state), Self)
    }

    /// Writes the id to the response headers.
    pub(crate) fn write(self, headers: &mut HeaderMap) {
        headers.insert(X_REQUEST_ID, self.0);
    }

    fn draw(state: &AppState) -> Self {
        let random: [u8; 16] = state.entropy.bytes();
        let mut digits = [0; 32];
        HEXLOWER.encode_mut(&random, &mut digits);
        Self(HeaderValue::from_bytes(&digits).unwrap_or(HeaderValue::from_static("unnamed")))
    }
}

fn is_fit(id: &[u8]) -> bool {
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    (1..=MAX_LENGTH).contains(&id.len()) && id.iter().all(fits)
}

#[cfg(test)]
mod tests {
    use super::is_fit;

    #[test]
    fn only_short_plain_ids_are_taken() {
        assert!(is_fit(b"a.B_c-9"));
        assert!(is_fit(&[b'a'; 64]));
        for id in [&b""[..], &[b'a'; 65], b"a b", b"a\"", "ä".as_bytes()] {
            assert!(!is_fit(id));
        }
    }
}
