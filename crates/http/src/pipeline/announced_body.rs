//! Marks a connection as busy with a request and the body that follows its head.

use crate::connection::{AnnouncedBody, InFlightGuard, InFlightRequests};
use actix_web::HttpMessage;
use actix_web::dev::{Payload, ServiceRequest};
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderValue};
use std::rc::Rc;
use std::time::Duration;

/// Marks the connection of a request that arrived at `now` as busy until the guard is dropped.
pub(super) fn mark_connection_busy(
    request: &ServiceRequest,
    now: Duration,
) -> Option<InFlightGuard> {
    request
        .conn_data::<Rc<InFlightRequests>>()
        .map(|requests| requests.begin(announced_body(request), now))
}

/// Returns the body that the parser expects after the head.
fn announced_body(request: &ServiceRequest) -> AnnouncedBody {
    if let (_, Payload::None) = request.parts() {
        return AnnouncedBody::None;
    }
    // The parser has rejected an encoding other than chunked.
    if request.chunked().unwrap_or_default() {
        return AnnouncedBody::Chunked;
    }
    let is_websocket = |value: &HeaderValue| {
        value
            .as_bytes()
            .trim_ascii()
            .eq_ignore_ascii_case(b"websocket")
    };
    if request.method() == Method::CONNECT
        || request.headers().get_all(header::UPGRADE).any(is_websocket)
    {
        return AnnouncedBody::Endless;
    }
    let length = request
        .headers()
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok());
    AnnouncedBody::Sized(
        length
            .and_then(|length| length.trim().parse().ok())
            .unwrap_or_default(),
    )
}
