//! `POST /api/v1/users/eoa/batch`: looks up several addresses of a context. All lookups are recorded and billed, or none.

use super::lookup::{VOIGHT_METER, append_meter, log_alerts, outcome_label, rejection_error};
use super::mark_replayed;
use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{
    Authorisation, Caller, LookupAccess, NoQuery, Query, idempotency_key, read_json_up_to,
};
use crate::logged_context::NamedContext;
use crate::metrics::LookupLabel;
use crate::pipeline::{Exchange, Handle};
use actix_web::http::header::HeaderValue;
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use voight_api::ErrorId;
use voight_api::public::{BatchLookup, BatchLookupResponse, BatchLookupResult};
use voight_domain::metering::{
    AddressSet, DailyLookups, LookupOutcome, MAX_BATCH_ADDRESSES, RecordedBatch,
};
use voight_domain::services::BatchLookupQuery;
use voight_domain::vocabulary::{ContextId, Environment, EoaAddress, IdempotencyKey, Timestamp};

const ROUTE: &str = "lookup_batch";
/// Maximum body, in bytes. The largest batch has 45 kB, and may be indented.
const BODY_BYTES: usize = 64 << 10;

/// Parsed batch lookup request.
struct BatchInput {
    /// The addresses as they were sent, each with its value or its error.
    items: Vec<(String, Result<EoaAddress, ErrorId>)>,
    context: ContextId,
    idempotency_key: Option<IdempotencyKey>,
}

impl BatchInput {
    fn parse(
        request: &HttpRequest,
        context_id: &str,
        eoa_addresses: Vec<String>,
    ) -> Result<Self, ApiError> {
        Query::<NoQuery>::parse(request)?;
        if eoa_addresses.is_empty() || eoa_addresses.len() > MAX_BATCH_ADDRESSES {
            return Err(ApiError::invalid(format!(
                "eoa_addresses must have 1 to {MAX_BATCH_ADDRESSES} addresses, not {}; divide a longer list into several \
                 requests.",
                eoa_addresses.len(),
            )));
        }
        let parse = |text: String| {
            let address = text
                .parse::<EoaAddress>()
                .map_err(|error| ApiError::from(error).id());
            (text, address)
        };
        let items = eoa_addresses.into_iter().map(parse).collect();
        let idempotency_key = idempotency_key(request)?;
        // A malformed id is rejected like a context of another client.
        let context = context_id
            .parse()
            .map_err(|_| ErrorId::UnknownContextForKey)?;
        Ok(Self {
            items,
            context,
            idempotency_key,
        })
    }
}

/// Handler of batch lookups.
pub(super) struct BatchLookupHandler;

impl Handle for BatchLookupHandler {
    type Authority = Authorisation<LookupAccess>;

    const IS_LOOKUP: bool = true;

    async fn handle(
        &self,
        exchange: &mut Exchange<'_>,
        authority: &Self::Authority,
    ) -> Result<HttpResponse, ApiError> {
        let request = exchange.request;
        let BatchLookup {
            context_id,
            eoa_addresses,
        } = read_json_up_to(request, exchange.payload.take(), BODY_BYTES).await?;
        let input = BatchInput::parse(request, &context_id, eoa_addresses);
        let outcome = match input {
            Ok(input) => look_up(exchange, &authority.caller, input).await,
            Err(error) => Err(error),
        };
        outcome.inspect_err(|_| {
            request.extensions_mut().insert(NamedContext(context_id));
        })
    }
}

/// Meters and answers a batch.
async fn look_up(
    exchange: &mut Exchange<'_>,
    caller: &Caller,
    input: BatchInput,
) -> Result<HttpResponse, ApiError> {
    let state = exchange.state;
    let client = &caller.api_key.client;
    let BatchInput {
        items,
        context,
        idempotency_key,
    } = input;
    let start = state.clock.read();
    // The request itself was counted as one lookup.
    caller.count_further_lookups(state, &mut exchange.rate_limit, items.len() - 1)?;
    let _idempotency_guard = state
        .idempotency_locks
        .acquire_if_present(client.id, ROUTE, idempotency_key.as_ref())
        .await?;
    let addresses: AddressSet = items
        .iter()
        .filter_map(|(_, address)| address.ok())
        .collect();
    let units = addresses.as_slice().len();
    let query = BatchLookupQuery {
        key: caller.digest,
        context,
        addresses: addresses.clone(),
        idempotency_key,
    };
    let outcome = state.services.lookups.look_up_batch(query).await;
    let outcome =
        outcome.inspect_err(|_| state.metrics.record_lookups(LookupLabel::Failed, units))?;
    state.metrics.record_lookups(outcome_label(&outcome), units);
    let (batch, is_replay) = match outcome {
        LookupOutcome::Recorded(batch, alerts) => {
            state.clock.note_row_written(start);
            log_alerts(client, alerts);
            (batch, false)
        }
        LookupOutcome::Replayed(batch) => (batch, true),
        LookupOutcome::CapReached {
            remaining,
            resets_at,
        } => {
            let message = cap_reached(caller.environment(), units, remaining, resets_at);
            return Err(ApiError::quota_exceeded(message, remaining));
        }
        rejected => return Err(rejection_error(&rejected, caller.environment())),
    };
    let response = BatchLookupResponse {
        results: results(items, &addresses, &batch)?,
        units,
    };
    let mut answer = success_in(caller.environment(), &response);
    let mut meter = Vec::new();
    append_meter(&mut meter, batch.seq, batch.head);
    answer.headers_mut().insert(
        VOIGHT_METER,
        HeaderValue::try_from(meter).map_err(|_| ErrorId::Internal)?,
    );
    Ok(if is_replay {
        mark_replayed(answer)
    } else {
        answer
    })
}

/// Returns the sentence about a cap that leaves fewer lookups than a batch has.
fn cap_reached(
    environment: Environment,
    units: usize,
    remaining: u64,
    resets_at: Timestamp,
) -> String {
    match environment {
        Environment::Live => format!(
            "The batch has {units} billable lookups, and the cap of this period leaves {remaining}; none was recorded. \
             The next period begins at {resets_at}."
        ),
        Environment::Sandbox => format!(
            "The batch has {units} lookups, and the sandbox of the client has {remaining} left of {} today; none was \
             recorded. The next day begins at {resets_at}.",
            DailyLookups::SANDBOX_LIMIT
        ),
    }
}

/// Returns the results in the order of the request. Fails if an answer is missing, which would be a bug.
fn results(
    items: Vec<(String, Result<EoaAddress, ErrorId>)>,
    addresses: &AddressSet,
    batch: &RecordedBatch,
) -> Result<Vec<BatchLookupResult>, ErrorId> {
    let result = |(text, address): (String, Result<EoaAddress, ErrorId>)| match address {
        Ok(address) => {
            let answer = addresses
                .position(&address)
                .and_then(|position| batch.answers.get(position));
            answer
                .map(|answer| BatchLookupResult::answered(text, *answer))
                .ok_or(ErrorId::Internal)
        }
        Err(error) => Ok(BatchLookupResult::rejected(text, error)),
    };
    items.into_iter().map(result).collect()
}
