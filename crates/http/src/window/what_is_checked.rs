//! `GET /window/v1/what-is-checked`: what a check looks at, why, and for how long it is kept, for whoever is checked.
//!
//! Its lists are those by which evidence is read, so the page cannot say less than what is taken. Any page may show it, and
//! it needs no script.

use super::facts::kept_headers;
use super::files::FRESH;
use super::policy::protect;
use crate::error::ApiError;
use crate::error_table::ErrorId;
use crate::extract::Query;
use crate::state::AppState;
use actix_web::http::header;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;
use voight_domain::check::{Disclosure, Member, Purpose};
use voight_domain::registry::Context;
use voight_domain::services::CheckError;

const STYLE: &str = include_str!("../../assets/what-is-checked.css");
const THEMES: [&str; 3] = ["auto", "light", "dark"];

/// The page.
#[derive(Template)]
#[template(path = "what-is-checked.html")]
struct Page {
    theme: &'static str,
    kept: String,
    sections: &'static [Disclosure],
    headers: String,
}

/// A list of members, each with the list of its own.
#[derive(Template)]
#[template(path = "members.html")]
struct Members {
    members: &'static [Member],
}

/// What the page may be asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    /// A context, since it may keep evidence for a time of its own.
    context: Option<String>,
    theme: Option<String>,
}

pub(super) async fn show(Query(asked): Query<Asked>, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let theme = asked.theme.as_deref().unwrap_or(THEMES[0]);
    let Some(theme) = THEMES.into_iter().find(|known| *known == theme) else {
        return Err(ApiError::invalid("theme must be auto, light or dark; leave it out for what the browser prefers."));
    };
    let context = match asked.context {
        Some(id) => Some(find(&state, &id).await?),
        None => None,
    };
    let kept = kept(context.as_ref(), state.settings.evidence_days);
    let sections = state.services.checks.disclose();
    let headers = kept_headers().collect::<Vec<_>>().join(", ");
    let mut response = HttpResponse::Ok();
    protect(&mut response, &[]);
    Ok(response.body(Page { theme, kept, sections, headers }.render()?))
}

/// `GET /window/v1/what-is-checked.css`: how the page looks. Its policy allows nothing inside of it.
pub(super) async fn style() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, FRESH))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .content_type("text/css; charset=utf-8")
        .body(STYLE)
}

async fn find(state: &AppState, id: &str) -> Result<Context, ApiError> {
    let unknown = || ApiError::with_message(ErrorId::NotFound, "There is no such context; leave it out.");
    match state.services.checks.context(&id.parse().map_err(|_| unknown())?).await {
        Ok(context) => Ok(context),
        Err(CheckError::Store(error)) => Err(error.into()),
        Err(_) => Err(unknown()),
    }
}

/// How long evidence is kept: as the context says, if the service keeps any that long.
fn kept(context: Option<&Context>, most_days: u16) -> String {
    if context.is_some_and(|context| context.environment.is_test()) {
        return "This is a test, so nothing of the evidence is kept.".to_owned();
    }
    let days = context.map_or(most_days, |context| context.settings.retention_days.min(most_days));
    let days = if days == 1 { "1 day".to_owned() } else { format!("{days} days") };
    format!("The evidence is deleted after {days}, or sooner if the service runs out of space for it.")
}

/// The title of a section and what its members are used for.
const fn heading(section: &Disclosure) -> (&'static str, &'static str) {
    match section.purpose {
        Purpose::Order => ("What evidence belongs to", "Used to tell checks apart and to refuse what was made up."),
        Purpose::Judging => ("What is looked at to judge", "Used to tell people from programs."),
        Purpose::Linking => (
            "What is looked at to link",
            "Used to see that one machine is behind many addresses. It never judges anybody by itself.",
        ),
    }
}
