//! `GET /window/v1`: the window's document, or a stub that reports why the window is unavailable.

use super::policy::protect;
use super::rejection::{LoggedPage, rejection_reason};
use crate::error::ApiError;
use crate::extract::Query;
use crate::state::AppState;
use actix_web::http::header::{AcceptLanguage, Header, LanguageTag};
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use voight_browser::{WindowPage, nearest, stub, window_document};
use voight_domain::registry::{Context, OriginDecision};
use voight_domain::services::{CheckError, CheckService};
use voight_domain::vocabulary::{ContextId, Origin};

/// Query parameters of the window.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DocumentQuery {
    context: String,
    origin: String,
    locale: Option<String>,
    /// Origins above the page, comma-separated, if the page itself is framed.
    #[serde(default)]
    within: String,
}

pub(super) async fn show(
    request: HttpRequest,
    Query(DocumentQuery { context, origin, locale, within }): Query<DocumentQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let locale = language(&request, locale.as_deref());
    let page = WindowPage { context: &context, origin: &origin, test: false, status: "ok", locale, theme: None };
    let mut response = HttpResponse::Ok();
    match authorise_page(&state.services.checks, &context, &origin, &within).await {
        Ok((admitted, framed_by)) => {
            protect(&mut response, &framed_by);
            Ok(response.body(window_document(&WindowPage { test: admitted.environment.is_test(), ..page })?))
        }
        Err(error) => {
            let reason = rejection_reason(&error);
            let status = stub_code(error)?;
            if let Some(reason) = reason {
                state.metrics.record_rejection(reason);
                let LoggedPage { context, origin } = LoggedPage::new(&context, &origin);
                tracing::info!(reason = reason.as_str(), context, origin, "window refused");
            }
            protect(&mut response, &[]);
            Ok(response.body(stub(&WindowPage { status, ..page })?))
        }
    }
}

/// Returns the context and the origins that may frame its window. These are the page's origin, if it may host a check, and
/// those above it.
async fn authorise_page(
    checks: &CheckService,
    context: &str,
    origin: &str,
    within: &str,
) -> Result<(Context, Vec<Origin>), CheckError> {
    let id: ContextId = context.parse().map_err(|_| CheckError::ContextUnknown)?;
    let origin = parse(origin)?;
    let above = within.split(',').filter(|above| !above.is_empty()).map(parse).collect::<Result<Vec<_>, _>>()?;
    let (context, decision) = checks.authorise_page(&id, &origin, &above).await?;
    if decision == OriginDecision::NoAllowlist {
        tracing::info!(context = %context.id, %origin, "unpinned origin: no origins are registered for this context");
    }
    Ok((context, [vec![origin], above].concat()))
}

fn parse(origin: &str) -> Result<Origin, CheckError> {
    origin.parse().map_err(|_| CheckError::OriginNotAllowed)
}

/// Returns the error code that a stub reports to the component. An error that does not concern the page is returned as an error
/// response.
fn stub_code(error: CheckError) -> Result<&'static str, ApiError> {
    match error {
        CheckError::ContextUnknown => Ok("context_unknown"),
        CheckError::ContextClosed | CheckError::ClientInactive => Ok("context_closed"),
        CheckError::OriginNotAllowed => Ok("origin_not_allowed"),
        CheckError::Store(error) => Err(error.into()),
        CheckError::OriginMismatch
        | CheckError::SessionInvalid
        | CheckError::EvidenceInvalid(_)
        | CheckError::OwnershipNotProven(_)
        | CheckError::Refused(_) => Ok("internal"),
    }
}

/// Returns the language that the page requests, otherwise the visitor's most preferred available language.
pub(super) fn language(request: &HttpRequest, locale: Option<&str>) -> &'static str {
    let accepted = AcceptLanguage::parse(request).map(|languages| languages.ranked()).unwrap_or_default();
    let accepted = accepted.iter().filter_map(|preference| preference.item()).map(LanguageTag::as_str);
    nearest(locale.into_iter().chain(accepted))
}
