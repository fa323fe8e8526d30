//! Writes one span, one log line and one count for each request. They contain the route template and no data that a caller
//! sent, except for the path of a request without a route and the context of a rejected lookup, whose secrets are replaced.
//!
//! Successful requests are logged at `voight_http::middleware=debug` only: lookups are in the ledger and in the metrics, and
//! writing the line took 10 % of the CPU time of a lookup.

use super::{Endpoint, Handle};
use crate::error::ApiError;
use crate::log_span::{LogSpan, TARGET};
use crate::logged_context::named_context;
use crate::metrics::UNMATCHED;
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use std::time::Duration;
use tracing::Level;
use voight_api::ErrorId;
use voight_domain::vocabulary::log_text;

/// Target of the line about a panic.
const PANIC_TARGET: &str = "voight_http::middleware::panics";

impl<H: Handle> Endpoint<H> {
    /// Logs and counts the response to a request that arrived at `start`.
    #[inline]
    pub(super) fn observe(
        &self,
        request: &HttpRequest,
        response: &HttpResponse,
        start: Duration,
        span: LogSpan<'_>,
    ) {
        let duration = self.state.monotonic_clock.elapsed().saturating_sub(start);
        let status = response.status();
        if status.as_u16() >= 400 || tracing::enabled!(target: TARGET, Level::DEBUG) {
            let path = self.route.is_none().then(|| log_text(request.path()));
            let route = self.route.as_deref().unwrap_or(UNMATCHED);
            let micros = duration.as_micros();
            span.in_scope(|| match status.as_u16() {
                400.. if H::IS_LOOKUP => log_rejected_lookup(route, request, response, micros),
                400.. => log_rejected_request(route, path.as_deref(), response, micros),
                _ => log_answer(route, path.as_deref(), response, micros),
            });
        }
        let metrics = &self.state.metrics;
        let method = method_word(request.method());
        match &self.route {
            Some(route) if status == StatusCode::OK => self
                .metrics
                .get_or_init(|| metrics.route(route, method))
                .record(duration),
            route => {
                let route = route.as_deref().unwrap_or(UNMATCHED).to_owned();
                metrics.record_request(route, method, status.as_u16(), duration);
            }
        }
    }
}

/// Logs a response that rejects no request; `path` is that of a request without a route.
fn log_answer(route: &str, path: Option<&str>, response: &HttpResponse, micros: u128) {
    tracing::debug!(
        target: TARGET,
        event = "request_answered",
        route,
        path,
        status = response.status().as_u16(),
        micros,
        "answered"
    );
}

/// Logs a rejected request; `path` is that of a request without a route.
fn log_rejected_request(route: &str, path: Option<&str>, response: &HttpResponse, micros: u128) {
    tracing::info!(
        target: TARGET,
        event = "request_rejected",
        route,
        path,
        status = response.status().as_u16(),
        reason = error_id(response),
        micros,
        "refused"
    );
}

/// Logs a rejected lookup with the context that the caller named.
fn log_rejected_lookup(route: &str, request: &HttpRequest, response: &HttpResponse, micros: u128) {
    tracing::info!(
        target: TARGET,
        event = "lookup_rejected",
        route,
        status = response.status().as_u16(),
        context = named_context(request),
        reason = error_id(response),
        micros,
        "lookup rejected"
    );
}

/// Returns the stable id of the error of a response.
fn error_id(response: &HttpResponse) -> Option<&'static str> {
    let error = response.error()?.as_error::<ApiError>()?;
    Some(error.id().row().id)
}

/// Logs a panic of a handler, and returns its response.
pub(super) fn panicked() -> HttpResponse {
    tracing::error!(target: PANIC_TARGET, event = "handler_panicked", "a handler panicked");
    ApiError::new(ErrorId::Internal).error_response()
}

/// Returns the method if HTTP defines it: callers may send any token.
pub(super) fn method_word(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PATCH => "PATCH",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}
