//! `GET /api/v1/usage`: returns the usage of the calling key's client in a date range.

use super::date_range::{DateRangeQuery, span_parameters};
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{Authorized, Caller, Query, RequestInput, UsageAccess};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;
use utoipa::ToSchema;
use voight_api::ErrorId;
use voight_api::openapi::{Operation, ResponseBody};
use voight_domain::metering::{LookupCounts, Period};
use voight_domain::services::{LedgerId, UsageError, UsageReport};

/// Path of the endpoint.
pub(super) const PATH: &str = "/api/v1/usage";

/// Usage of a client.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UsageOfClient {
    /// Start of the date range, inclusive.
    #[schema(format = DateTime)]
    from: String,
    /// End of the date range, exclusive.
    #[schema(format = DateTime)]
    to: String,
    /// Lookups in the date range, including free ones.
    billable: u64,
    /// Lookups that the free allowance covers.
    free: u64,
    /// Lookups beyond the free allowance.
    charged: u64,
    /// Days (UTC) with at least one lookup, in order.
    days: Vec<UsageOfDay>,
    /// Contexts with at least one lookup, in the order of their registration.
    contexts: Vec<UsageOfContext>,
    /// Head of the ledger at the time of counting.
    head: LedgerHead,
}

/// Lookups of a day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UsageOfDay {
    /// Day, in UTC.
    #[schema(format = Date)]
    date: String,
    /// Lookups of the day, including free ones.
    billable: u64,
    /// Lookups that the free allowance covers.
    free: u64,
    /// Lookups beyond the free allowance.
    charged: u64,
}

/// Lookups of a context.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UsageOfContext {
    /// Context id.
    context_id: String,
    /// Lookups of the context, including free ones.
    billable: u64,
    /// Lookups that the free allowance covers.
    free: u64,
    /// Lookups beyond the free allowance.
    charged: u64,
}

/// Head of a ledger.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LedgerHead {
    /// Sequence number of the last row, independent of the date range; 0 if the ledger is empty.
    seq: u64,
    /// Chain head after that row.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    head: String,
}

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
    Authorized { caller, input: UsageInput(span), .. }: Authorized<UsageAccess, UsageInput>,
) -> Result<HttpResponse, ApiError> {
    let (ledgers, ledger) = (state.services.ledgers.clone(), ledger_of(&caller));
    let counted = state.scan_pool.run(async move { ledgers.usage(ledger, span).await }).await?;
    Ok(success(caller.is_test(), &UsageOfClient::from(counted.map_err(refusal)?)))
}

/// Returns the ledger that a caller may read: that of the whole client in the environment of the key.
pub(super) const fn ledger_of(caller: &Caller) -> LedgerId {
    LedgerId { client: caller.holder.client.id, environment: caller.holder.key.environment }
}

pub(crate) fn refusal(error: UsageError) -> ApiError {
    match error {
        UsageError::TooMany { .. } => ApiError::invalid(format!("{error}.")),
        UsageError::Store(error) => error.into(),
    }
}

impl From<UsageReport> for UsageOfClient {
    fn from(report: UsageReport) -> Self {
        let LookupCounts { billable, free } = report.total;
        let days = report.days.into_iter().map(|(day, counts)| {
            let LookupCounts { billable, free } = counts;
            UsageOfDay { date: day.to_string(), billable, free, charged: counts.charged() }
        });
        let contexts = report.contexts.into_iter().map(|(id, counts)| {
            let LookupCounts { billable, free } = counts;
            UsageOfContext { context_id: id.to_string(), billable, free, charged: counts.charged() }
        });
        Self {
            from: report.span.start.to_string(),
            to: report.span.end.to_string(),
            billable,
            free,
            charged: report.total.charged(),
            days: days.collect(),
            contexts: contexts.collect(),
            head: LedgerHead { seq: report.seq, head: report.head.to_string() },
        }
    }
}

pub(super) fn operation() -> Operation {
    Operation {
        method: "get",
        path: PATH,
        id: "getUsage",
        summary: "Usage of the client",
        description: "Lookups of all keys of the client, by day and by context. A sandbox key reads the client's sandbox, where nothing is billed. The read itself is never billed. Needs the scope usage:read.",
        needs_key: true,
        parameters: span_parameters(),
        request: None,
        answer: ResponseBody::Enveloped("UsageOfClient"),
        headers: &[],
        errors: &[ErrorId::InvalidRequest],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use voight_domain::ports::StoreError;

    #[test]
    fn too_much_is_the_callers_to_change_and_a_store_that_fails_is_not() {
        let refused = refusal(UsageError::TooMany { rows: 3_000_000 });
        assert_eq!(refused.id(), ErrorId::InvalidRequest);
        assert!(refused.message().contains("3000000 rows"), "{refused}");
        assert_eq!(refusal(StoreError::Fatal("stopped".into()).into()).id(), ErrorId::Unavailable);
    }
}
