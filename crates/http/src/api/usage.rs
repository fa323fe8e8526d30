//! `GET /api/v1/usage`: returns the usage of the calling key's client in a date range.

use super::date_range::DateRangeQuery;
use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{Authorized, Query, RequestInput, UsageAccess};
use crate::scan_pool::ScanOrigin;
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use voight_api::public::UsageOfClient;
use voight_domain::metering::Period;
use voight_domain::services::UsageError;

/// Date range of the request.
pub(crate) struct UsageInput(Period);

impl RequestInput for UsageInput {
    async fn read(request: &HttpRequest, _: Payload) -> Result<Self, ApiError> {
        let Query(query) = Query::<DateRangeQuery>::parse(request)?;
        query.span(AppState::from_http_request(request)?).map(Self)
    }
}

pub(super) async fn handle(
    state: web::Data<AppState>,
    Authorized {
        caller,
        input: UsageInput(span),
        ..
    }: Authorized<UsageAccess, UsageInput>,
) -> Result<HttpResponse, ApiError> {
    let (ledgers, ledger) = (state.services.ledgers.clone(), caller.api_key.ledger());
    let origin = ScanOrigin::Client(ledger.client);
    let usage_counts = state
        .scan_pool
        .run(origin, async move { ledgers.usage(ledger, span).await })
        .await?;
    Ok(success_in(
        caller.environment(),
        &UsageOfClient::from(usage_counts.map_err(api_error)?),
    ))
}

pub(crate) fn api_error(error: UsageError) -> ApiError {
    match error {
        UsageError::TooMany { .. } => ApiError::invalid(format!("{error}.")),
        UsageError::Store(error) => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use voight_api::ErrorId;
    use voight_domain::ports::StoreError;

    #[test]
    fn only_too_large_usage_is_a_client_error() {
        let rejection = api_error(UsageError::TooMany { rows: 3_000_000 });
        assert_eq!(rejection.id(), ErrorId::InvalidRequest);
        assert!(rejection.message().contains("3000000 rows"), "{rejection}");
        assert_eq!(
            api_error(StoreError::Fatal("stopped".into()).into()).id(),
            ErrorId::Unavailable
        );
    }
}
