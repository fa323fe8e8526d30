//! Sign-in by a link, sign-out and the theme.

use crate::error::{ConsoleError, sentence};
use crate::form::{Form, NoFields};
use crate::format::Time;
use crate::response::{show as show_page, show_again};
use crate::visit::{Theme, removed_session_cookie, session_cookie, theme_cookie};
use crate::{ConsoleState, PREFIX, SIGN_IN_PATH};
use actix_web::http::header;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use serde::Deserialize;
use voight_domain::Timestamp;
use voight_domain::registry::User;
use voight_domain::services::SignInError;
use voight_domain::vocabulary::UserName;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage {}

#[derive(Template)]
#[template(path = "sign_in_link.html")]
struct LinkPage {
    name: String,
    role: &'static str,
    is_first: bool,
    expires_at: Time,
    version: &'static str,
    error: Option<String>,
}

/// Fields of the form of a sign-in link.
#[derive(Deserialize)]
pub(crate) struct LinkFields {
    /// Name that the first owner chooses.
    name: Option<String>,
}

/// Fields of the form of the theme.
#[derive(Deserialize)]
pub(crate) struct ThemeFields {
    theme: String,
}

/// `GET /console/sign-in`: the ways to sign in.
pub(crate) async fn show() -> HttpResponse {
    show_page(&SignInPage {})
}

/// `GET /console/sign-in/{link}`: the page of a link. The link is used by the form only, so that a preview does not use it.
pub(crate) async fn show_link(
    link: Path<String>,
    state: Data<ConsoleState>,
) -> Result<HttpResponse, ConsoleError> {
    let (user, expires_at) = peek(&state, &link).await?;
    Ok(show_page(&LinkPage::new(&state, &user, expires_at)))
}

/// `POST /console/sign-in/{link}`: uses the link, and begins a session.
pub(crate) async fn redeem_link(
    request: HttpRequest,
    link: Path<String>,
    fields: web::Form<LinkFields>,
    state: Data<ConsoleState>,
) -> Result<HttpResponse, ConsoleError> {
    let (user, expires_at) = peek(&state, &link).await?;
    let page = LinkPage::new(&state, &user, expires_at);
    let chosen_name = fields.into_inner().name.filter(|_| page.is_first);
    let name = match chosen_name
        .as_deref()
        .map(str::parse::<UserName>)
        .transpose()
    {
        Ok(name) => name,
        Err(error) => return Ok(page.with_error(chosen_name, &error.to_string())),
    };
    let users = &state.services.users;
    let signed_in = match users.redeem_link(&link, name, &device(&request)).await {
        Ok(signed_in) => signed_in,
        Err(SignInError::Rejected(reason)) if chosen_name.is_some() => {
            return Ok(page.with_error(chosen_name, &reason));
        }
        Err(SignInError::Rejected(_)) => return Err(ConsoleError::unusable_link()),
        Err(SignInError::Store(error)) => return Err(error.into()),
    };
    Ok(HttpResponse::SeeOther()
        .insert_header((header::LOCATION, PREFIX))
        .insert_header(session_cookie(&signed_in.session))
        .finish())
}

/// `POST /console/sign-out`: ends the session.
pub(crate) async fn sign_out(form: Form<NoFields>) -> Result<HttpResponse, ConsoleError> {
    let visit = form.visit;
    let users = visit.services().users.acting_as(&visit.actor());
    users
        .end_session(visit.user.id, visit.session.digest)
        .await?;
    Ok(HttpResponse::SeeOther()
        .insert_header((header::LOCATION, SIGN_IN_PATH))
        .insert_header(removed_session_cookie())
        .finish())
}

/// `POST /console/theme`: stores the theme in the browser.
pub(crate) async fn set_theme(form: Form<ThemeFields>) -> HttpResponse {
    let theme = Theme::from_name(&form.fields.theme);
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, PREFIX))
        .insert_header(theme_cookie(theme))
        .finish()
}

async fn peek(state: &ConsoleState, link: &str) -> Result<(User, Timestamp), ConsoleError> {
    match state.services.users.peek_link(link).await {
        Ok(peeked_link) => Ok(peeked_link),
        Err(SignInError::Rejected(_)) => Err(ConsoleError::unusable_link()),
        Err(SignInError::Store(error)) => Err(error.into()),
    }
}

impl LinkPage {
    fn new(state: &ConsoleState, user: &User, expires_at: Timestamp) -> Self {
        Self {
            name: user.name.to_string(),
            role: user.role.as_str(),
            is_first: user.seen_at.is_none(),
            expires_at: Time::new(expires_at, state.clock.now()),
            version: state.settings.version,
            error: None,
        }
    }

    fn with_error(mut self, name: Option<String>, reason: &str) -> HttpResponse {
        self.name = name.unwrap_or_default();
        self.error = Some(sentence(reason));
        show_again(&self)
    }
}

/// Returns the browser and the system of a request, as the list of sessions shows them.
fn device(request: &HttpRequest) -> String {
    const BROWSERS: [(&str, &str); 5] = [
        ("Firefox/", "Firefox"),
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    const SYSTEMS: [(&str, &str); 6] = [
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Mac OS X", "macOS"),
        ("Windows", "Windows"),
        ("Linux", "Linux"),
    ];
    let user_agent = request
        .headers()
        .get(header::USER_AGENT)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let name_in = |names: &[(&str, &'static str)]| {
        let name = names.iter().find(|(sign, _)| user_agent.contains(sign));
        name.map(|(_, name)| *name)
    };
    match (name_in(&BROWSERS), name_in(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => "Unknown browser".to_owned(),
    }
}
