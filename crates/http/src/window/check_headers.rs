//! Headers that prove that a call belongs to a check: challenge and solved proof of work. They are verified before the body is read.

use actix_web::HttpRequest;
use actix_web::http::header::HeaderMap;

/// Check id in the path of a call, with its challenge and proof of work.
pub(super) struct CheckHeaders {
    pub(super) check: String,
    pub(super) challenge: String,
    pub(super) work: String,
}

impl CheckHeaders {
    /// Reads the headers. A header that is missing, repeated or not text is read as empty, which fails verification.
    pub(super) fn from_http_request(request: &HttpRequest) -> Self {
        Self {
            check: request.match_info().query("check").to_owned(),
            challenge: single_header(request.headers(), "x-voight-challenge"),
            work: single_header(request.headers(), "x-voight-work"),
        }
    }
}

/// Returns the value of a header that occurs once, otherwise an empty text.
fn single_header(headers: &HeaderMap, name: &str) -> String {
    let mut values = headers.get_all(name).map(|value| value.to_str().unwrap_or_default());
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_owned(),
        _ => String::new(),
    }
}
