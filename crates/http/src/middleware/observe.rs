//! One span, one log line and one count for each request; by route template, never by what a caller sent.
//!
//! The line of a request that succeeded is there for whoever looks for it (`voight_http::middleware=debug`): a lookup is in the
//! ledger and in the metrics, and writing the line took a tenth of its processor.

use super::RequestId;
use crate::error::ApiError;
use crate::state::AppState;
use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use std::time::Duration;
use tracing::Span;

/// Stands for every path that has no route.
const UNMATCHED: &str = "unmatched";

/// A request, from its head to the head of its answer.
pub(super) struct RequestObserver<'a> {
    state: &'a AppState,
    method: &'static str,
    start: Duration,
}

impl<'a> RequestObserver<'a> {
    pub(super) fn begin(request: &ServiceRequest, state: &'a AppState) -> Self {
        Self { state, method: method_word(request.method()), start: state.ticks.elapsed() }
    }

    /// What its log lines stand in.
    pub(super) fn span(&self, id: &RequestId) -> Span {
        tracing::info_span!("request", id = id.as_str(), method = self.method)
    }

    /// Logs and counts the answer.
    pub(super) fn end(self, answer: &ServiceResponse<BoxBody>) {
        let took = self.state.ticks.elapsed().saturating_sub(self.start);
        let route = answer.request().match_pattern().unwrap_or_else(|| UNMATCHED.to_owned());
        let status = answer.status().as_u16();
        let error = answer.response().error().and_then(|error| error.as_error::<ApiError>());
        match error.map(|error| error.id().row().id) {
            None if status < 400 => tracing::debug!(route, status, micros = took.as_micros(), "answered"),
            error => tracing::info!(route, status, error, micros = took.as_micros(), "refused"),
        }
        self.state.metrics.record_request(route, self.method, status, took);
    }
}

/// The method, if it is one that HTTP defines: callers may send any word.
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
