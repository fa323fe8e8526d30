//! `POST /api/v1/quotes`: the cost of a number of lookups. Nothing is recorded or billed.

use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{Authorized, NoQuery, Query, RequestInput, SessionAccess, read_json};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use voight_api::ErrorId;
use voight_api::public::{QUOTE_UNITS_MAX, Quote, QuoteRequest};
use voight_domain::metering::QuoteError;
use voight_domain::services::RejectedQuote;
use voight_domain::vocabulary::ContextId;

/// Parsed request for a quote.
pub(super) struct QuoteInput {
    context: ContextId,
    units: u64,
}

impl RequestInput for QuoteInput {
    async fn read(request: &HttpRequest, payload: Payload) -> Result<Self, ApiError> {
        let QuoteRequest { context_id, units } = read_json(request, payload).await?;
        Query::<NoQuery>::parse(request)?;
        if !(1..=QUOTE_UNITS_MAX).contains(&units) {
            return Err(ApiError::invalid(format!(
                "units must be a number from 1 to {QUOTE_UNITS_MAX}."
            )));
        }
        let context = context_id
            .parse()
            .map_err(|_| ErrorId::UnknownContextForKey)?;
        Ok(Self { context, units })
    }
}

pub(super) async fn handle(
    state: web::Data<AppState>,
    Authorized {
        caller,
        input: QuoteInput { context, units },
        ..
    }: Authorized<'_, SessionAccess, QuoteInput>,
) -> Result<HttpResponse, ApiError> {
    let quote = state
        .services
        .billing
        .quote(&caller.api_key, &context, units)
        .await
        .map_err(api_error)?;
    Ok(success_in(caller.environment(), &Quote::from(quote)))
}

fn api_error(error: RejectedQuote) -> ApiError {
    match error {
        RejectedQuote::UnknownContext => ErrorId::UnknownContextForKey.into(),
        RejectedQuote::Store(error) => error.into(),
        RejectedQuote::Quote(QuoteError::CapReached {
            remaining,
            resets_at,
        }) => ApiError::quota_exceeded(
            format!(
                "The cap of this period leaves {remaining} billable lookups; quote at most as many. The next period begins at \
                 {resets_at}."
            ),
            remaining,
        ),
        RejectedQuote::Quote(QuoteError::Overflow) => {
            ApiError::invalid(format!("{}.", QuoteError::Overflow))
        }
    }
}
