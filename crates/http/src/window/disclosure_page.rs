//! `GET /window/v1/what-is-checked`: page for visitors about checks. It describes the data that a check evaluates, the purpose,
//! the retention, and the operator of the service.
//!
//! Its subjects and its detailed list are derived from the schema of the evidence, so that the page covers everything that is
//! collected. Any page may frame it, and it has no script.
//! everything that is collected. Any page may frame it, and it has no script.

mod subject;
mod texts;

use super::document::language;
use super::policy::protect;
use super::request_metadata::recorded_headers;
use crate::error::ApiError;
use crate::extract::Query;
use crate::state::AppState;
use crate::static_file::CACHE_CONTROL;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use serde::Deserialize;
use subject::subjects;
use texts::{Texts, texts};
use voight_api::ErrorId;
use voight_domain::check::{Disclosure, Member};
use voight_domain::registry::Context;
use voight_domain::services::CheckError;

const STYLE: &str = include_str!("../../assets/what-is-checked.css");
const THEMES: [&str; 3] = ["auto", "light", "dark"];

/// Template of the page.
#[derive(Template)]
#[template(path = "what-is-checked.html")]
struct Page<'a> {
    theme: &'static str,
    locale: &'static str,
    texts: &'a Texts,
    subjects: Vec<(&'a str, &'a str)>,
    /// Retention of evidence in days; `None` if evidence is not kept.
    kept_days: Option<u16>,
    operator: Option<&'a str>,
    contact: Option<&'a str>,
    sections: &'static [Disclosure],
    headers: String,
}

/// List of explanations of members, each with a list of its own members.
#[derive(Template)]
#[template(path = "members.html")]
struct Members {
    members: &'static [Member],
}

/// Query parameters of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DisclosureQuery {
    /// Context, which may have its own retention of evidence.
    context: Option<String>,
    theme: Option<String>,
    locale: Option<String>,
}

pub(super) async fn show(
    request: HttpRequest,
    Query(query): Query<DisclosureQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let theme = query.theme.as_deref().unwrap_or(THEMES[0]);
    let Some(theme) = THEMES
        .into_iter()
        .find(|supported_theme| *supported_theme == theme)
    else {
        return Err(ApiError::invalid(
            "theme must be auto, light or dark; leave it out for what the browser prefers.",
        ));
    };
    let context = match query.context {
        Some(id) => Some(find(&state, &id).await?),
        None => None,
    };
    let locale = language(&request, query.locale.as_deref());
    let texts = texts(locale).ok_or(ErrorId::Internal)?;
    let sections = state.services.checks.disclose();
    let page = Page {
        theme,
        locale,
        texts,
        subjects: subjects(sections, texts),
        kept_days: kept_days(context.as_ref(), state.settings.evidence_retention_days),
        operator: state.settings.operator_name.as_deref(),
        contact: state.settings.operator_contact.as_deref(),
        sections,
        headers: recorded_headers().collect::<Vec<_>>().join(", "),
    };
    let mut response = HttpResponse::Ok();
    protect(&mut response, &[]);
    Ok(response.body(page.render()?))
}

/// Serves `GET /window/v1/what-is-checked.css`. The policy of the page allows no inline style.
pub(super) async fn style() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, CACHE_CONTROL))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .content_type("text/css; charset=utf-8")
        .body(STYLE)
}

async fn find(state: &AppState, id: &str) -> Result<Context, ApiError> {
    let unknown =
        || ApiError::with_message(ErrorId::NotFound, "There is no such context; leave it out.");
    match state
        .services
        .checks
        .context(&id.parse().map_err(|_| unknown())?)
        .await
    {
        Ok(context) => Ok(context),
        Err(CheckError::Store(error)) => Err(error.into()),
        Err(_) => Err(unknown()),
    }
}

/// Returns the retention of evidence in days; `None` in a sandbox, which keeps no evidence. The retention of the service is an
/// upper limit of the context's.
fn kept_days(context: Option<&Context>, max_days: u16) -> Option<u16> {
    match context {
        Some(context) if context.environment.is_test() => None,
        Some(context) => Some(context.settings.retention_days.min(max_days)),
        None => Some(max_days),
    }
}
