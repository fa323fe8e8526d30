//! `GET /api/v1/users/eoa`: looks up the verdict of an address in a context (requirement, section 4.2).

use super::IDEMPOTENCY_REPLAYED;
use crate::envelope::write_success;
use crate::error::ApiError;
use crate::extract::{Authorisation, LookupAccess, Query, idempotency_key, plain_pair};
use crate::header_texts::{append_number, append_value, insert_texts};
use crate::limits::{RateLimitHeaders, RateLimitState};
use crate::metrics::LookupLabel;
use crate::pipeline::{Exchange, Handle};
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use data_encoding::HEXLOWER;
use serde::Deserialize;
use std::iter;
use voight_api::ErrorId;
use voight_api::public::LookupResponse;
use voight_domain::metering::{AlertSet, ChainHead, DailyLookups, LookupOutcome, RecordedAnswer};
use voight_domain::registry::Client;
use voight_domain::services::LookupQuery;
use voight_domain::vocabulary::{ContextId, Environment, EoaAddress, IdempotencyKey, Timestamp};

pub(super) const HANDLER: LookupHandler = LookupHandler {
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

/// Handler of the lookups of one address.
pub(super) struct LookupHandler {
    /// Scope of the idempotency keys.
    pub(super) route: &'static str,
    /// `true` if the response needs the detail.
    pub(super) is_detailed: bool,
    /// Writes the body of the response to the answer; returns `false` if the answer lacks the data of the endpoint, which would
    /// be a bug.
    pub(super) write: fn(&mut Vec<u8>, Environment, &RecordedAnswer) -> bool,
}

impl Handle for LookupHandler {
    type Authority = Authorisation<LookupAccess>;

    const HAS_LAZY_SPAN: bool = true;
    const IS_LOOKUP: bool = true;

    /// Meters and answers a lookup.
    async fn handle(
        &self,
        exchange: &mut Exchange<'_>,
        authority: &Self::Authority,
    ) -> Result<HttpResponse, ApiError> {
        let caller = &authority.caller;
        let state = exchange.state;
        let span = exchange.span;
        let LookupInput {
            address,
            context,
            idempotency_key,
        } = LookupInput::read(exchange.request)?;
        drop(exchange.payload.take());
        let client = &caller.api_key.client;
        let _idempotency_guard = state
            .idempotency_locks
            .acquire_if_present(client.id, self.route, idempotency_key.as_ref())
            .await?;
        let query = LookupQuery {
            key: caller.digest,
            context,
            address,
            idempotency_key,
            is_detailed: self.is_detailed,
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
                state.clock.note_row_written(exchange.start);
                if alerts != AlertSet::default() {
                    span.in_scope(|| log_alerts(client, alerts));
                }
                (answered, false)
            }
            LookupOutcome::Replayed(answered) => (answered, true),
            rejected => return Err(rejection_error(&rejected, caller.environment())),
        };
        let mut body = Vec::with_capacity(RESPONSE_BYTES);
        if !(self.write)(&mut body, caller.environment(), &answered) {
            return Err(ErrorId::Internal.into());
        }
        let rate_limit = exchange.rate_limit.take();
        Ok(response(body, &answered, is_replay, rate_limit))
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
        tracing::warn!(
            event = "threshold_reached",
            client = %client.name,
            alert = alert.as_str(),
            "a client has reached a threshold"
        );
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
