//! `GET /window/v1`: the window's document, or a stub that reports why the window is unavailable.

use super::policy::protect;
use super::rejection::{LoggedPage, rejection_reason};
use crate::error::ApiError;
use crate::extract::Query;
use crate::request_id::RequestId;
use crate::state::AppState;
use actix_web::http::StatusCode;
use actix_web::http::header::{AcceptLanguage, Header, LanguageTag};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, ResponseError, web};
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
    Query(DocumentQuery {
        context,
        origin,
        locale,
        within,
    }): Query<DocumentQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let locale = language(&request, locale.as_deref());
    let reference = request
        .extensions()
        .get::<RequestId>()
        .map(|id| id.as_str().to_owned())
        .unwrap_or_default();
    let page = WindowPage {
        context: &context,
        origin: &origin,
        test: false,
        status: "ok",
        reference: &reference,
        locale,
        theme: None,
    };
    match authorise_page(&state.services.checks, &context, &origin, &within).await {
        Ok((admitted, framed_by)) => {
            let mut response = HttpResponse::Ok();
            protect(&mut response, &framed_by);
            Ok(response.body(window_document(&WindowPage {
                test: admitted.environment.is_test(),
                ..page
            })?))
        }
        Err(error) => {
            let reason = rejection_reason(&error);
            let (http_status, status) = stub_status(error);
            if let Some(reason) = reason {
                state.metrics.record_rejection(reason);
                let LoggedPage { context, origin } = LoggedPage::new(&context, &origin);
                tracing::info!(
                    event = "window_rejected",
                    reason = reason.as_str(),
                    context,
                    origin,
                    "window rejected"
                );
            }
            let mut response = HttpResponse::build(http_status);
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
    let above = within
        .split(',')
        .filter(|above| !above.is_empty())
        .map(parse)
        .collect::<Result<Vec<_>, _>>()?;
    let (context, decision) = checks.authorise_page(&id, &origin, &above).await?;
    if decision == OriginDecision::NoAllowlist {
        tracing::info!(
            event = "origin_not_pinned",
            context = %context.id,
            %origin,
            "unpinned origin: no origins are registered for this context"
        );
    }
    Ok((context, [vec![origin], above].concat()))
}

fn parse(origin: &str) -> Result<Origin, CheckError> {
    origin.parse().map_err(|_| CheckError::OriginNotAllowed)
}

/// Returns the HTTP status of a stub and the error code that it reports to the component.
fn stub_status(error: CheckError) -> (StatusCode, &'static str) {
    let code = match error {
        CheckError::ContextUnknown => "context_unknown",
        CheckError::ContextClosed | CheckError::ClientInactive => "context_closed",
        CheckError::OriginNotAllowed => "origin_not_allowed",
        CheckError::Store(error) => return (ApiError::from(error).status_code(), "internal"),
        CheckError::OriginMismatch
        | CheckError::SessionInvalid
        | CheckError::EvidenceInvalid(_)
        | CheckError::OwnershipNotProven(_)
        | CheckError::Rejected(_) => "internal",
    };
    (StatusCode::OK, code)
}

/// Returns the language that the page requests, otherwise the visitor's most preferred available language.
pub(super) fn language(request: &HttpRequest, locale: Option<&str>) -> &'static str {
    let preferences = AcceptLanguage::parse(request)
        .map(|languages| languages.ranked())
        .unwrap_or_default();
    let accepted_tags = preferences
        .iter()
        .filter_map(|preference| preference.item())
        .map(LanguageTag::as_str);
    nearest(locale.into_iter().chain(accepted_tags))
}
