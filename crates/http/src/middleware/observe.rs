//! Writes one span, one log line and one count for each request. They contain the route template and no data that a caller
//! sent, except for the path of a request without a route, whose secrets are replaced.
//!
//! Successful requests are logged at `voight_http::middleware=debug` only: lookups are in the ledger and in the metrics, and
//! writing the line took 10 % of the CPU time of a lookup.

use super::RequestId;
use crate::error::ApiError;
use crate::state::AppState;
use actix_web::HttpResponse;
use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use std::time::Duration;
use tracing::{Level, Span};
use voight_domain::vocabulary::log_text;

/// Label of all paths that have no route.
const UNMATCHED: &str = "unmatched";

/// Request, from its head to the head of its response.
pub(super) struct RequestObserver<'a> {
    state: &'a AppState,
    method: &'static str,
    start: Duration,
}

impl<'a> RequestObserver<'a> {
    pub(super) fn begin(request: &ServiceRequest, state: &'a AppState) -> Self {
        Self {
            state,
            method: method_word(request.method()),
            start: state.monotonic_clock.elapsed(),
        }
    }

    /// Returns the time at which the request arrived.
    pub(super) const fn start(&self) -> Duration {
        self.start
    }

    /// Creates the span of the request's log lines.
    pub(super) fn span(&self, id: &RequestId) -> Span {
        request_span(id, self.method)
    }

    /// Logs and counts the response.
    pub(super) fn end(self, answer: &ServiceResponse<BoxBody>) {
        let duration = self
            .state
            .monotonic_clock
            .elapsed()
            .saturating_sub(self.start);
        let pattern = answer.request().match_pattern();
        let unmatched_path = pattern.is_none().then(|| log_text(answer.request().path()));
        let route = pattern.unwrap_or_else(|| UNMATCHED.to_owned());
        log_answer(
            &route,
            unmatched_path.as_deref(),
            answer.response(),
            duration,
        );
        self.state
            .metrics
            .record_request(route, self.method, answer.status().as_u16(), duration);
    }
}

/// Span of the log lines of a request, which is created only when a line is written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LogSpan<'a> {
    /// The span that is current.
    Current,
    /// Span of a GET request with this id.
    ForGetRequest(&'a RequestId),
}

impl LogSpan<'_> {
    /// Runs `log`, which writes a line.
    pub(crate) fn in_scope<T>(self, log: impl FnOnce() -> T) -> T {
        match self {
            Self::Current => log(),
            Self::ForGetRequest(id) => request_span(id, "GET").in_scope(log),
        }
    }

    /// Logs the response to a request on `route`.
    pub(crate) fn log_answer(self, route: &str, answer: &HttpResponse, duration: Duration) {
        if answer.status().as_u16() >= 400 || tracing::enabled!(Level::DEBUG) {
            self.in_scope(|| log_answer(route, None, answer, duration));
        }
    }
}

fn request_span(id: &RequestId, method: &str) -> Span {
    tracing::info_span!("request", id = id.as_str(), method)
}

/// Logs a response; `path` is that of a request without a route.
fn log_answer(route: &str, path: Option<&str>, answer: &HttpResponse, duration: Duration) {
    let status = answer.status().as_u16();
    let error = answer
        .error()
        .and_then(|error| error.as_error::<ApiError>());
    match error.map(|error| error.id().row().id) {
        None if status < 400 => {
            tracing::debug!(
                route,
                path,
                status,
                micros = duration.as_micros(),
                "answered"
            );
        }
        error => tracing::info!(
            route,
            path,
            status,
            error,
            micros = duration.as_micros(),
            "refused"
        ),
    }
}

/// Returns the method if HTTP defines it: callers may send any token.
fn method_word(method: &Method) -> &'static str {
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
