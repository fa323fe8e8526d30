//! `GET /api/v1/usage`: what the calling key's client has used within a span of time.

use super::span::{DateRangeQuery, span_parameters};
use crate::envelope::success;
use crate::error::ApiError;
use crate::error_table::ErrorId;
use crate::extract::{Authorized, Caller, Query, RequestInput, UsageAccess};
use crate::openapi::{Operation, ResponseBody};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;
use utoipa::ToSchema;
use voight_domain::metering::{LookupCounts, Period};
use voight_domain::services::{LedgerId, UsageError, UsageReport};

/// Where the endpoint is mounted.
pub(super) const PATH: &str = "/api/v1/usage";

/// What a client has used.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UsageOfClient {
    /// The first instant of the span.
    #[schema(format = DateTime)]
    from: String,
    /// The first instant after it.
    #[schema(format = DateTime)]
    to: String,
    /// Lookups in it, free ones included.
    billable: u64,
    /// Those that the free allowance covers.
    free: u64,
    /// Those beyond it.
    paid: u64,
    /// Days (UTC) with at least one lookup, in order.
    days: Vec<UsageOfDay>,
    /// Contexts with at least one lookup, in the order of their registration.
    contexts: Vec<UsageOfContext>,
    /// Where the ledger stood when this was counted.
    head: LedgerHead,
}

/// A day's lookups.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UsageOfDay {
    /// The day, in UTC.
    #[schema(format = Date)]
    date: String,
    /// Lookups in it, free ones included.
    billable: u64,
    /// Those that the free allowance covers.
    free: u64,
    /// Those beyond it.
    paid: u64,
}

/// A context's lookups.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UsageOfContext {
    /// The context.
    context_id: String,
    /// Its lookups, free ones included.
    billable: u64,
    /// Those that the free allowance covers.
    free: u64,
    /// Those beyond it.
    paid: u64,
}

/// Where a ledger stands.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LedgerHead {
    /// The number of its last row, of whatever time; 0 if it has none.
    seq: u64,
    /// The head of its chain after that row.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    head: String,
}

/// The span that is asked about.
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

/// The ledger that a caller may read: the whole client's, of the key's environment.
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
            UsageOfDay { date: day.to_string(), billable, free, paid: counts.charged() }
        });
        let contexts = report.contexts.into_iter().map(|(id, counts)| {
            let LookupCounts { billable, free } = counts;
            UsageOfContext { context_id: id.to_string(), billable, free, paid: counts.charged() }
        });
        Self {
            from: report.span.start.to_string(),
            to: report.span.end.to_string(),
            billable,
            free,
            paid: report.total.charged(),
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
        summary: "What the client has used",
        description: "Lookups of the whole client, whichever key asked for them, by day and by context. A sandbox key is told of \
            the client's sandbox, where nothing is billed. The read itself is never billed. Needs the scope usage:read.",
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
