//! `GET /api/v1/users/eoa`: looks up the verdict of an address in a context (requirement, section 4.2).

use super::mark_replayed;
use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{Authorized, LookupAccess, Query, RequestInput, idempotency_key};
use crate::header_value::header_value;
use crate::metrics::LookupLabel;
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::http::header::HeaderName;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use voight_api::ErrorId;
use voight_api::public::LookupResponse;
use voight_domain::metering::{AlertSet, LookupOutcome, RecordedAnswer};
use voight_domain::registry::Client;
use voight_domain::services::LookupQuery;
use voight_domain::vocabulary::{ContextId, Environment, EoaAddress, IdempotencyKey};

const ENDPOINT: LookupEndpoint = LookupEndpoint {
    route: "lookup",
    is_detailed: false,
    respond: |environment, answered| Some(success_in(environment, &LookupResponse::from(answered.answer))),
};
const VOIGHT_METER: HeaderName = HeaderName::from_static("voight-meter");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LookupParameters {
    eoa_address: String,
    context_id: String,
}

/// Parsed lookup request.
pub(crate) struct LookupInput {
    address: EoaAddress,
    context: ContextId,
    idempotency_key: Option<IdempotencyKey>,
}

impl RequestInput for LookupInput {
    async fn read(request: &HttpRequest, _: Payload) -> Result<Self, ApiError> {
        let Query(LookupParameters { eoa_address, context_id }) = Query::parse(request)?;
        let address = eoa_address.parse::<EoaAddress>()?;
        let idempotency_key = idempotency_key(request)?;
        // A malformed id is rejected like a context of another client.
        let context = context_id.parse().map_err(|_| ErrorId::UnknownContextForKey)?;
        Ok(Self { address, context, idempotency_key })
    }
}

pub(super) async fn handle(
    state: web::Data<AppState>,
    authorized: Authorized<LookupAccess, LookupInput>,
) -> Result<HttpResponse, ApiError> {
    answer(&state, authorized, &ENDPOINT).await
}

/// Endpoint that answers lookups.
pub(super) struct LookupEndpoint {
    /// Scope of the idempotency keys.
    pub(super) route: &'static str,
    /// `true` if the response needs the detail.
    pub(super) is_detailed: bool,
    /// Builds the response from the answer; `None` if the answer lacks the data of the endpoint, which would be a bug.
    pub(super) respond: fn(Environment, &RecordedAnswer) -> Option<HttpResponse>,
}

/// Meters and answers a lookup, plain or detailed.
pub(super) async fn answer(
    state: &AppState,
    Authorized { caller, input, .. }: Authorized<LookupAccess, LookupInput>,
    LookupEndpoint { route, is_detailed, respond }: &LookupEndpoint,
) -> Result<HttpResponse, ApiError> {
    let LookupInput { address, context, idempotency_key } = input;
    let _turn =
        state.idempotency_locks.acquire_if_present(caller.holder.client.id, route, idempotency_key.as_ref()).await?;
    let request = LookupQuery { key: caller.digest, context, address, idempotency_key, is_detailed: *is_detailed };
    let metered = |answered: &RecordedAnswer| {
        let mut response = respond(caller.environment(), answered).ok_or(ErrorId::Internal)?;
        if let Some(meter) = header_value(format_args!("seq={}, head={}", answered.seq, answered.head)) {
            response.headers_mut().insert(VOIGHT_METER, meter);
        }
        Ok(response)
    };
    let outcome = state
        .services
        .lookups
        .look_up(request)
        .await
        .inspect_err(|_| state.metrics.record_lookup(LookupLabel::Failed))?;
    state.metrics.record_lookup(outcome_label(&outcome));
    match outcome {
        LookupOutcome::Recorded(answered, alerts) => {
            state.clock.note_row_written();
            log_alerts(&caller.holder.client, alerts);
            metered(&answered)
        }
        LookupOutcome::Replayed(answered) => metered(&answered).map(mark_replayed),
        refused => Err(refusal(&refused)),
    }
}

/// Logs the alerts, which are also stored with their row.
fn log_alerts(client: &Client, alerts: AlertSet) {
    for alert in alerts.iter() {
        tracing::warn!(client = %client.name, alert = alert.as_str(), "a client has reached a threshold");
    }
}

fn refusal(outcome: &LookupOutcome) -> ApiError {
    match outcome {
        // The caller handles both answers; reaching this arm would be a bug.
        LookupOutcome::Recorded(..) | LookupOutcome::Replayed(_) => ErrorId::Internal.into(),
        LookupOutcome::IdempotencyKeyReused => ErrorId::IdempotencyKeyReused.into(),
        LookupOutcome::CapReached { resets_at } => ApiError::with_message(
            ErrorId::QuotaExceeded,
            format!("The cap on billable lookups is reached; the next period begins at {resets_at}."),
        ),
        LookupOutcome::InvalidKey => ErrorId::InvalidKey.into(),
        LookupOutcome::ScopeMissing => ErrorId::Forbidden.into(),
        LookupOutcome::ClientSuspended => ErrorId::ClientSuspended.into(),
        LookupOutcome::UnknownContext => ErrorId::UnknownContextForKey.into(),
    }
}

const fn outcome_label(outcome: &LookupOutcome) -> LookupLabel {
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
