//! Usage and ledger of the calling key's client.

use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{Authorized, NoQuery, Query, RequestInput, UsageAccess, number, page_limit};
use crate::scan_pool::ScanOrigin;
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use voight_api::ErrorId;
use voight_api::public::routes::EXPORT_PAGE;
use voight_api::public::{SignedLedgerHead, UsageOfClient};
use voight_api::usage_formats::ExportFormat;
use voight_domain::metering::{LedgerId, Period};
use voight_domain::services::{LedgerService, NameCache, UsageError};

/// Date range of the request.
pub(crate) struct UsageInput(Period);

impl RequestInput for UsageInput {
    async fn read(request: &HttpRequest, _: Payload) -> Result<Self, ApiError> {
        let Query(query) = Query::<DateRangeQuery>::parse(request)?;
        query.span(AppState::from_http_request(request)?).map(Self)
    }
}

/// `GET /api/v1/usage`: returns the usage of the calling key's client in a date range.
pub(super) async fn show(
    state: web::Data<AppState>,
    Authorized {
        caller,
        input: UsageInput(span),
        ..
    }: Authorized<'_, UsageAccess, UsageInput>,
) -> Result<HttpResponse, ApiError> {
    let ledgers = state.services.ledgers.clone();
    let ledger = caller.api_key.ledger();
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

/// `GET /api/v1/usage/head`: returns the signed head of the client's ledger.
pub(super) async fn show_head(
    state: web::Data<AppState>,
    Authorized { caller, .. }: Authorized<'_, UsageAccess, NoQuery>,
) -> Result<HttpResponse, ApiError> {
    let (head, signed) = state
        .services
        .ledgers
        .signed_head(caller.api_key.ledger())
        .await?;
    let data = SignedLedgerHead {
        seq: head.seq,
        head: head.head.to_string(),
        at: head.at.to_string(),
        signed,
    };
    Ok(success_in(caller.environment(), &data))
}

/// Header with the row after which the next page starts; absent on the last page.
const VOIGHT_NEXT: HeaderName = HeaderName::from_static("voight-next");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExportQuery {
    format: String,
    from: Option<String>,
    to: Option<String>,
    after: Option<String>,
    limit: Option<String>,
}

/// Parsed export request.
pub(crate) struct ExportInput {
    format: ExportFormat,
    span: Period,
    after: u64,
    limit: usize,
}

/// Page of an export.
struct Page {
    document: Vec<u8>,
    next: Option<u64>,
}

impl RequestInput for ExportInput {
    async fn read(request: &HttpRequest, _: Payload) -> Result<Self, ApiError> {
        let Query(query) = Query::<ExportQuery>::parse(request)?;
        let format = query
            .format
            .parse()
            .map_err(|error| ApiError::invalid(format!("format: {error}.")))?;
        let span = parse_date_range(
            AppState::from_http_request(request)?,
            query.from.as_deref(),
            query.to.as_deref(),
        )?;
        let first_row = number(query.after.as_deref(), 0).ok_or_else(|| {
            ApiError::invalid("after is the number of a row, as the header Voight-Next of the page before names it.")
        })?;
        Ok(Self {
            format,
            span,
            after: first_row,
            limit: page_limit(query.limit.as_deref(), EXPORT_PAGE)?,
        })
    }
}

/// `GET /api/v1/usage/export`: exports the client's lookups one by one, in pages, for other programs.
pub(super) async fn export(
    state: web::Data<AppState>,
    Authorized { caller, input, .. }: Authorized<'_, UsageAccess, ExportInput>,
) -> Result<HttpResponse, ApiError> {
    let ledgers = state.services.ledgers.clone();
    let ledger = caller.api_key.ledger();
    let format = input.format;
    let origin = ScanOrigin::Client(ledger.client);
    let scan = async move { page(&ledgers, ledger, &input).await };
    let Page { document, next } = state.scan_pool.run(origin, scan).await??;
    let mut answer = HttpResponse::Ok();
    if let Some(next) = next {
        answer.insert_header((VOIGHT_NEXT, HeaderValue::from(next)));
    }
    Ok(answer.content_type(format.media_type()).body(document))
}

async fn page(
    ledgers: &LedgerService,
    ledger: LedgerId,
    input: &ExportInput,
) -> Result<Page, ApiError> {
    let range = ledgers.range(ledger, input.span).await?;
    let page = ledgers
        .records(&range, &mut NameCache::default(), input.after, input.limit)
        .await?;
    let mut document = Vec::new();
    let write_result = input
        .format
        .begin(&mut document)
        .and_then(|()| input.format.write(&page.records, &mut document));
    // Writing to memory cannot fail.
    write_result.map_err(|_| ErrorId::Internal)?;
    Ok(Page {
        document,
        next: page.next,
    })
}

/// Query parameters `from` and `to`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DateRangeQuery {
    from: Option<String>,
    to: Option<String>,
}

impl DateRangeQuery {
    /// Returns the date range of the query.
    fn span(&self, state: &AppState) -> Result<Period, ApiError> {
        parse_date_range(state, self.from.as_deref(), self.to.as_deref())
    }
}

/// Parses a date range. An invalid one is a 400 whose message describes valid ones.
pub(crate) fn parse_date_range(
    state: &AppState,
    from: Option<&str>,
    to: Option<&str>,
) -> Result<Period, ApiError> {
    let span = state.services.ledgers.date_range(from, to);
    span.map_err(|error| ApiError::invalid(format!("{error}.")))
}

#[cfg(test)]
mod tests {
    use super::*;
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
