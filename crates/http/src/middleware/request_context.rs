//! Request middleware: assigns a request id, records metrics and sets the response headers.

use super::body_drain::{hold_body_until_response, share_chunked_body};
use super::observe::RequestObserver;
use super::response_body::bound_response_body;
use super::{MiddlewareResult, RequestId};
use crate::connection::{AnnouncedBody, InFlightGuard, InFlightRequests};
use crate::limits::RateLimitHeaders;
use crate::state::AppState;
use actix_web::HttpMessage;
use actix_web::body::BoxBody;
use actix_web::dev::{Payload, ServiceRequest};
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderMap, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web;
use std::rc::Rc;
use std::time::Duration;
use tracing::Instrument;

/// Assigns a request id, observes the request until it is answered, and sets the response headers. Until then the connection
/// counts as busy.
///
/// One middleware for all of it, as in `shed_load`: four layers cost 10 % of the HTTP work of a lookup.
pub(crate) async fn request_context(
    state: web::Data<AppState>,
    mut request: ServiceRequest,
    next: Next<BoxBody>,
) -> MiddlewareResult {
    let observer = RequestObserver::begin(&request, &state);
    let _busy = mark_connection_busy(&request, observer.start());
    let id = RequestId::from_request_or_new(request.request(), &state);
    request.extensions_mut().insert(id.clone());
    let span = observer.span(&id);
    async {
        let body = share_chunked_body(&mut request);
        let mut answer =
            hold_body_until_response(bound_response_body(next.call(request).await?), body);
        let allowance = answer
            .request()
            .extensions()
            .get::<RateLimitHeaders>()
            .copied();
        add_common_headers(answer.headers_mut(), allowance, id);
        observer.end(&answer);
        Ok(answer)
    }
    .instrument(span)
    .await
}

/// Marks the connection of a request that arrived at `now` as busy until the guard is dropped.
pub(crate) fn mark_connection_busy(
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

/// Sets the headers that every response has. These are the request id, `Cache-Control: no-store` unless the handler set another
/// value, `nosniff`, and the state of the caller's rate limit.
pub(crate) fn add_common_headers(
    headers: &mut HeaderMap,
    allowance: Option<RateLimitHeaders>,
    id: RequestId,
) {
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    if let Some(allowance) = allowance {
        allowance.write(headers);
    }
    id.write(headers);
}
