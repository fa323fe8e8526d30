//! Proof that a call belongs to a check: its challenge and the solved proof of work. Verified before a body is read.

use actix_web::HttpRequest;
use actix_web::http::header::HeaderMap;

/// Check id in a call's path, with the headers that prove it.
pub(super) struct CheckHeaders {
    pub(super) check: String,
    pub(super) challenge: String,
    pub(super) work: String,
}

impl CheckHeaders {
    /// Reads the proof of a call. A value that is missing, repeated or not text is empty and proves nothing.
    pub(super) fn from_http_request(request: &HttpRequest) -> Self {
        Self {
            check: request.match_info().query("check").to_owned(),
            challenge: single_header(request.headers(), "x-voight-challenge"),
            work: single_header(request.headers(), "x-voight-work"),
        }
    }
}

fn single_header(headers: &HeaderMap, name: &str) -> String {
    let mut values = headers.get_all(name).map(|value| value.to_str().unwrap_or_default());
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_owned(),
        _ => String::new(),
    }
}
