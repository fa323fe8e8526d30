//! `GET /window/v1`: the window's document, or the stub that says why there is none.

use super::policy::protect;
use crate::error::ApiError;
use crate::extract::Query;
use crate::state::AppState;
use actix_web::http::header::{AcceptLanguage, Header};
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use voight_browser::{WindowPage, asset, stub, window_document};
use voight_domain::registry::{Context, OriginDecision};
use voight_domain::services::{CheckError, Checks};
use voight_domain::vocabulary::{ContextId, Origin};

const ENGLISH: &str = "en";

/// What a window is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    context: String,
    origin: String,
}

pub(super) async fn show(
    request: HttpRequest,
    Query(Asked { context, origin }): Query<Asked>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let locale = language(&request);
    let page =
        WindowPage { context: &context, origin: &origin, test: false, status: "ok", locale: &locale, theme: None };
    let mut response = HttpResponse::Ok();
    match admit(&state.services.checks, &context, &origin).await {
        Ok((admitted, origin)) => {
            protect(&mut response, Some(&origin));
            Ok(response.body(window_document(&WindowPage { test: admitted.environment.is_test(), ..page })))
        }
        Err(error) => {
            let status = code(error)?;
            tracing::info!(reason = status, "window refused");
            state.metrics.refused(status);
            protect(&mut response, None);
            Ok(response.body(stub(&WindowPage { status, ..page })))
        }
    }
}

/// The context and origin, if that origin may host a check of that context.
async fn admit(checks: &Checks, context: &str, origin: &str) -> Result<(Context, Origin), CheckError> {
    let id: ContextId = context.parse().map_err(|_| CheckError::ContextUnknown)?;
    let origin: Origin = origin.parse().map_err(|_| CheckError::OriginNotAllowed)?;
    let (context, decision) = checks.admit_origin(&id, &origin).await?;
    if decision == OriginDecision::Unpinned {
        tracing::info!(context = %context.id, %origin, "unpinned origin: no origins are registered for this context");
    }
    Ok((context, origin))
}

/// The component's code that a stub reports; an error that is not about the page is answered as any other.
fn code(error: CheckError) -> Result<&'static str, ApiError> {
    match error {
        CheckError::ContextUnknown => Ok("context_unknown"),
        CheckError::ContextClosed => Ok("context_closed"),
        CheckError::OriginNotAllowed => Ok("origin_not_allowed"),
        CheckError::Store(error) => Err(error.into()),
        CheckError::OriginMismatch
        | CheckError::SessionInvalid
        | CheckError::EvidenceInvalid(_)
        | CheckError::NotBound(_)
        | CheckError::Refused(_) => Ok("internal"),
    }
}

/// The visitor's first language that the window has texts in, else English.
fn language(request: &HttpRequest) -> String {
    let asked = AcceptLanguage::parse(request).map(|languages| languages.ranked()).unwrap_or_default();
    let tags = asked.iter().filter_map(|preference| preference.item()).map(|tag| tag.as_str().to_ascii_lowercase());
    let found = tags.flat_map(|tag| {
        let primary = tag.split('-').next().unwrap_or_default().to_owned();
        [tag, primary]
    });
    found
        .into_iter()
        .find(|tag| asset(&format!("window/v1/locales/{tag}.js")).is_some())
        .unwrap_or_else(|| ENGLISH.into())
}
