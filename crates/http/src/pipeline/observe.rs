//! Writes one span, one log line and one count for each request. They contain the route template and no data that a caller
//! sent, except for the path of a request without a route, whose secrets are replaced.
//!
//! Successful requests are logged at `voight_http::middleware=debug` only: lookups are in the ledger and in the metrics, and
//! writing the line took 10 % of the CPU time of a lookup.

use super::Endpoint;
use crate::error::ApiError;
use crate::log_span::{LogSpan, TARGET};
use crate::metrics::UNMATCHED;
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use std::time::Duration;
use tracing::Level;
use voight_api::ErrorId;
use voight_domain::vocabulary::log_text;

/// Target of the line about a panic.
const PANIC_TARGET: &str = "voight_http::middleware::panics";

impl<H> Endpoint<H> {
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
            span.in_scope(|| log_response(route, path.as_deref(), response, duration));
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

/// Logs a response; `path` is that of a request without a route.
fn log_response(route: &str, path: Option<&str>, response: &HttpResponse, duration: Duration) {
    let status = response.status().as_u16();
    let error = response
        .error()
        .and_then(|error| error.as_error::<ApiError>());
    match error.map(|error| error.id().row().id) {
        None if status < 400 => {
            tracing::debug!(
                target: TARGET,
                route,
                path,
                status,
                micros = duration.as_micros(),
                "answered"
            );
        }
        error => tracing::info!(
            target: TARGET,
            route,
            path,
            status,
            error,
            micros = duration.as_micros(),
            "refused"
        ),
    }
}

/// Logs a panic of a handler, and returns its response.
pub(super) fn panicked() -> HttpResponse {
    tracing::error!(target: PANIC_TARGET, "a handler panicked");
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
