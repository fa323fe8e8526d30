//! `GET /api/v1/users/eoa`: looks up the verdict of an address in a context (requirement, section 4.2).

use super::IDEMPOTENCY_REPLAYED;
use crate::endpoint::not_allowed;
use crate::envelope::write_success;
use crate::error::ApiError;
use crate::extract::{Caller, LookupAccess, Query, idempotency_key, plain_pair};
use crate::guarded_clock::ClockReading;
use crate::header_texts::{append_number, append_value, insert_texts};
use crate::limits::{RateLimitHeaders, RateLimitState};
use crate::metrics::{LookupLabel, RouteMetrics};
use crate::middleware::{
    LogSpan, RequestId, acquire_platform_permit, add_common_headers, enforce_request_limits,
    hold_body_until_response, mark_connection_busy, panicked, request_context, share_chunked_body,
};
use crate::state::AppState;
use actix_service::fn_service;
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::middleware::from_fn;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, Resource, ResponseError, web};
use data_encoding::HEXLOWER;
use futures_util::FutureExt;
use serde::Deserialize;
use std::cell::OnceCell;
use std::convert::Infallible;
use std::iter;
use std::panic::AssertUnwindSafe;
use std::rc::Rc;
use voight_api::ErrorId;
use voight_api::public::{LookupResponse, routes};
use voight_domain::metering::{AlertSet, ChainHead, DailyLookups, LookupOutcome, RecordedAnswer};
use voight_domain::registry::Client;
use voight_domain::services::LookupQuery;
use voight_domain::vocabulary::{ContextId, Environment, EoaAddress, IdempotencyKey, Timestamp};

pub(super) const ENDPOINT: LookupEndpoint = LookupEndpoint {
    path: routes::LOOK_UP_ADDRESS.path,
    route: "lookup",
    is_detailed: false,
    write: |into, environment, answered| {
        write_success(into, environment, &LookupResponse::from(answered.answer))
    },
};
pub(super) const VOIGHT_METER: HeaderName = HeaderName::from_static("voight-meter");
/// Capacity of the texts of a response, enough for a plain lookup.
const RESPONSE_BYTES: usize = 320;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LookupParameters {
    eoa_address: String,
    context_id: String,
}

/// Parsed lookup request.
struct LookupInput {
    address: EoaAddress,
    context: ContextId,
    idempotency_key: Option<IdempotencyKey>,
}

impl LookupInput {
    fn read(request: &HttpRequest) -> Result<Self, ApiError> {
        if let Some([address, context]) =
            plain_pair(request.query_string(), ["eoa_address", "context_id"])
        {
            return Self::parse(request, address, context);
        }
        let Query(LookupParameters {
            eoa_address,
            context_id,
        }) = Query::parse(request)?;
        Self::parse(request, &eoa_address, &context_id)
    }

    fn parse(request: &HttpRequest, address: &str, context: &str) -> Result<Self, ApiError> {
        let address = address.parse::<EoaAddress>()?;
        let idempotency_key = idempotency_key(request)?;
        // A malformed id is rejected like a context of another client.
        let context = context.parse().map_err(|_| ErrorId::UnknownContextForKey)?;
        Ok(Self {
            address,
            context,
            idempotency_key,
        })
    }
}

/// Endpoint that answers lookups.
pub(super) struct LookupEndpoint {
    /// Path of the endpoint.
    pub(super) path: &'static str,
    /// Scope of the idempotency keys.
    pub(super) route: &'static str,
    /// `true` if the response needs the detail.
    pub(super) is_detailed: bool,
    /// Writes the body of the response to the answer; returns `false` if the answer lacks the data of the endpoint, which would
    /// be a bug.
    pub(super) write: fn(&mut Vec<u8>, Environment, &RecordedAnswer) -> bool,
}

/// Mounts a lookup endpoint. Lookups pass no middleware: [`LookupRoute`] takes the same steps in the same order, without the
/// parts that only other endpoints need.
pub(super) fn resource(state: &web::Data<AppState>, endpoint: &'static LookupEndpoint) -> Resource {
    let route = Rc::new(LookupRoute {
        state: state.clone(),
        endpoint,
        metrics: OnceCell::new(),
    });
    let state = state.clone();
    let look_up = fn_service(move |request| {
        let route = Rc::clone(&route);
        async move { Ok::<_, Infallible>(route.serve(request).await) }
    });
    let fallback = web::to(|| not_allowed("GET"));
    web::resource(endpoint.path)
        .route(web::get().service(look_up))
        .route(fallback.wrap(from_fn(move |request, next| {
            request_context(state.clone(), request, next)
        })))
}

/// Route of a lookup endpoint of one worker.
struct LookupRoute {
    state: web::Data<AppState>,
    endpoint: &'static LookupEndpoint,
    /// Metrics of successful lookups, from the first one on.
    metrics: OnceCell<RouteMetrics>,
}

/// Rejection before authentication, or error.
enum Rejection {
    BeforeAuthentication(ApiError),
    AfterAuthentication(ApiError),
}

impl<E: Into<ApiError>> From<E> for Rejection {
    fn from(error: E) -> Self {
        Self::AfterAuthentication(error.into())
    }
}

impl LookupRoute {
    /// Answers a request, logs and counts it.
    async fn serve(&self, mut request: ServiceRequest) -> ServiceResponse {
        let (state, path) = (self.state.get_ref(), self.endpoint.path);
        let start = state.clock.read();
        let _busy = mark_connection_busy(&request, start.elapsed);
        let id = RequestId::from_request_or_new(request.request(), state);
        let span = LogSpan::ForGetRequest(&id);
        let chunked_body = share_chunked_body(&mut request);
        let (request, payload) = request.into_parts();
        let mut rate_limit = None;
        // After a panic the future is never polled again, so its inconsistent state is not observable.
        let outcome =
            AssertUnwindSafe(self.answer(&request, payload, start, span, &mut rate_limit))
                .catch_unwind()
                .await;
        let mut response = match outcome {
            Ok(Ok(response)) => response,
            Ok(Err(Rejection::BeforeAuthentication(error))) => error.error_response(),
            Ok(Err(Rejection::AfterAuthentication(error))) => HttpResponse::from_error(error),
            Err(_) => span.in_scope(panicked),
        };
        let duration = state
            .monotonic_clock
            .elapsed()
            .saturating_sub(start.elapsed);
        span.log_answer(path, &response, duration);
        if response.status() == StatusCode::OK {
            self.metrics
                .get_or_init(|| state.metrics.route(path))
                .record(duration);
        } else {
            state.metrics.record_request(
                path.to_owned(),
                "GET",
                response.status().as_u16(),
                duration,
            );
        }
        add_common_headers(response.headers_mut(), rate_limit.map(RateLimitHeaders), id);
        hold_body_until_response(ServiceResponse::new(request, response), chunked_body)
    }

    /// Authorises, meters and answers a lookup. Leaves in `rate_limit` the rate limit state that the response lacks.
    async fn answer(
        &self,
        request: &HttpRequest,
        payload: Payload,
        start: ClockReading,
        span: LogSpan<'_>,
        rate_limit: &mut Option<RateLimitState>,
    ) -> Result<HttpResponse, Rejection> {
        let (
            state,
            LookupEndpoint {
                route, is_detailed, ..
            },
        ) = (self.state.get_ref(), self.endpoint);
        enforce_request_limits(request, state).map_err(Rejection::BeforeAuthentication)?;
        let _permit =
            acquire_platform_permit(state, start).map_err(Rejection::BeforeAuthentication)?;
        let (caller, _in_flight) =
            Caller::authenticate_and_authorise::<LookupAccess>(request, state, span, rate_limit)
                .await?;
        let LookupInput {
            address,
            context,
            idempotency_key,
        } = LookupInput::read(request)?;
        drop(payload);
        let client = &caller.api_key.client;
        let _idempotency_guard = state
            .idempotency_locks
            .acquire_if_present(client.id, route, idempotency_key.as_ref())
            .await?;
        let query = LookupQuery {
            key: caller.digest,
            context,
            address,
            idempotency_key,
            is_detailed: *is_detailed,
        };
        let outcome = state
            .services
            .lookups
            .look_up(query)
            .await
            .map_err(|error| {
                state.metrics.record_lookup(LookupLabel::Failed);
                span.in_scope(|| ApiError::from(error))
            })?;
        state.metrics.record_lookup(outcome_label(&outcome));
        let (answered, is_replay) = match outcome {
            LookupOutcome::Recorded(answered, alerts) => {
                state.clock.note_row_written(start);
                if alerts != AlertSet::default() {
                    span.in_scope(|| log_alerts(client, alerts));
                }
                (answered, false)
            }
            LookupOutcome::Replayed(answered) => (answered, true),
            rejected => return Err(rejection_error(&rejected, caller.environment()).into()),
        };
        let mut body = Vec::with_capacity(RESPONSE_BYTES);
        if !(self.endpoint.write)(&mut body, caller.environment(), &answered) {
            return Err(ErrorId::Internal.into());
        }
        Ok(response(body, &answered, is_replay, rate_limit.take()))
    }
}

/// Builds the response to an answer, whose body is in `texts`. The values of the headers are appended to it, so that they need no
/// allocation.
fn response(
    mut texts: Vec<u8>,
    answered: &RecordedAnswer,
    is_replay: bool,
    rate_limit: Option<RateLimitState>,
) -> HttpResponse {
    let body = ..texts.len();
    let meter = append_value(&mut texts, VOIGHT_METER, |texts| {
        append_meter(texts, answered.seq, answered.head);
    });
    let rate_limit_headers =
        rate_limit.map(|rate_limit| RateLimitHeaders(rate_limit).append(&mut texts));
    let texts = Bytes::from(texts);
    let mut response =
        HttpResponse::with_body(StatusCode::OK, texts.slice(body)).map_into_boxed_body();
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    insert_texts(
        headers,
        &texts,
        iter::once(meter).chain(rate_limit_headers.into_iter().flatten()),
    );
    if is_replay {
        headers.insert(IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"));
    }
    response
}

/// Appends the value of the header [`VOIGHT_METER`]: a ledger row, and the head of the chain after it.
pub(super) fn append_meter(texts: &mut Vec<u8>, seq: u64, head: ChainHead) {
    texts.extend_from_slice(b"seq=");
    append_number(texts, seq);
    texts.extend_from_slice(b", head=");
    let mut digits = [0; 64];
    HEXLOWER.encode_mut(&head.0, &mut digits);
    texts.extend_from_slice(&digits);
}

/// Logs the alerts, which are also stored with their row.
pub(super) fn log_alerts(client: &Client, alerts: AlertSet) {
    for alert in alerts.iter() {
        tracing::warn!(client = %client.name, alert = alert.as_str(), "a client has reached a threshold");
    }
}

pub(super) fn rejection_error<A>(outcome: &LookupOutcome<A>, environment: Environment) -> ApiError {
    match outcome {
        // The caller handles both answers; reaching this arm would be a bug.
        LookupOutcome::Recorded(..) | LookupOutcome::Replayed(_) => ErrorId::Internal.into(),
        LookupOutcome::IdempotencyKeyReused => ErrorId::IdempotencyKeyReused.into(),
        LookupOutcome::CapReached { resets_at, .. } => {
            ApiError::with_message(ErrorId::QuotaExceeded, cap_reached(environment, *resets_at))
        }
        LookupOutcome::InvalidKey => ErrorId::InvalidKey.into(),
        LookupOutcome::ScopeMissing => ErrorId::Forbidden.into(),
        LookupOutcome::ClientSuspended => ErrorId::ClientSuspended.into(),
        LookupOutcome::UnknownContext => ErrorId::UnknownContextForKey.into(),
    }
}

/// Returns the sentence about a reached cap.
fn cap_reached(environment: Environment, resets_at: Timestamp) -> String {
    match environment {
        Environment::Live => format!(
            "The cap on billable lookups is reached; the next period begins at {resets_at}."
        ),
        Environment::Sandbox => format!(
            "The sandbox of a client has {} lookups a day, and they are used; the next day begins at {resets_at}. Use a live \
             key for more.",
            DailyLookups::SANDBOX_LIMIT
        ),
    }
}

pub(super) const fn outcome_label<A>(outcome: &LookupOutcome<A>) -> LookupLabel {
    match outcome {
        LookupOutcome::Recorded(..) => LookupLabel::Recorded,
        LookupOutcome::Replayed(_) => LookupLabel::Replayed,
        LookupOutcome::IdempotencyKeyReused => LookupLabel::IdempotencyKeyReused,
        LookupOutcome::CapReached { .. } => LookupLabel::CapReached,
        LookupOutcome::InvalidKey => LookupLabel::InvalidKey,
        LookupOutcome::ScopeMissing => LookupLabel::ScopeMissing,
        LookupOutcome::ClientSuspended => LookupLabel::ClientSuspended,
        LookupOutcome::UnknownContext => LookupLabel::UnknownContext,
    }
}
