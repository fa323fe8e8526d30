//! One span, one log line and one count for each request; by route template, never by what a caller sent.
//!
//! The line of a request that succeeded is there for whoever looks for it (`voight_http::middleware=debug`): a lookup is in the
//! ledger and in the metrics, and writing the line took a tenth of its processor.

use super::{Answer, RequestId};
use crate::error::ApiError;
use crate::state::AppState;
use actix_web::body::MessageBody;
use actix_web::dev::ServiceRequest;
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::{HttpMessage, web};
use tracing::Instrument;

/// Stands for every path that has no route.
const UNMATCHED: &str = "unmatched";

/// Measures the request.
pub(crate) async fn observe(request: ServiceRequest, next: Next<impl MessageBody + 'static>) -> Answer {
    let Some(state) = request.app_data::<web::Data<AppState>>().cloned() else {
        return Ok(next.call(request).await?.map_into_boxed_body());
    };
    let method = method_word(request.method());
    let span =
        tracing::info_span!("request", id = request.extensions().get::<RequestId>().map(RequestId::as_str), method);
    let start = state.ticks.elapsed();
    async move {
        let answer = next.call(request).await?.map_into_boxed_body();
        let took = state.ticks.elapsed().saturating_sub(start);
        let route = answer.request().match_pattern().unwrap_or_else(|| UNMATCHED.to_owned());
        let status = answer.status().as_u16();
        let error = answer.response().error().and_then(|error| error.as_error::<ApiError>());
        match error.map(|error| error.id().row().id) {
            None if status < 400 => tracing::debug!(route, status, micros = took.as_micros(), "answered"),
            error => tracing::info!(route, status, error, micros = took.as_micros(), "refused"),
        }
        state.metrics.answered(route, method, status, took);
        Ok(answer)
    }
    .instrument(span)
    .await
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
