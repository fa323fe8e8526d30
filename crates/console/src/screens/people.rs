//! Users, their roles and the tokens of programs.

use crate::error::ConsoleError;
use crate::form::{Form, NoFields};
use crate::format::{State, Time};
use crate::page::Page;
use crate::response::{redirect_done, show as show_page, show_again};
use crate::visit::Visit;
use actix_web::HttpResponse;
use actix_web::web::Path;
use askama::Template;
use serde::Deserialize;
use voight_domain::registry::{AdminToken, Role, User, UserSession};
use voight_domain::services::InvitedUser;
use voight_domain::vocabulary::UserName;

#[derive(Template)]
#[template(path = "people.html")]
struct PeoplePage {
    page: Page,
    users: Vec<UserRow>,
    tokens: Vec<TokenRow>,
    sessions: Vec<SessionRow>,
    roles: [&'static str; 4],
    invitation: Option<Invitation>,
}

/// Row of a user.
struct UserRow {
    id: String,
    name: String,
    role: &'static str,
    ways: String,
    seen_at: Option<Time>,
    invitation_ends: Option<Time>,
    is_self: bool,
}

/// Row of a token.
struct TokenRow {
    name: String,
    id: String,
    role: &'static str,
    state: State,
    created_at: Time,
}

/// Row of a session of the user.
struct SessionRow {
    id: String,
    device: String,
    created_at: Time,
    is_current: bool,
}

/// Link of an invited user, which is shown once.
struct Invitation {
    name: String,
    url: String,
    expires_at: Time,
}

/// Fields of the form of an invitation.
#[derive(Deserialize)]
pub(crate) struct InvitationFields {
    name: String,
    role: String,
}

/// Fields of the form of a role.
#[derive(Deserialize)]
pub(crate) struct RoleFields {
    role: String,
}

/// `GET /console/people`: users and tokens.
pub(crate) async fn show(visit: Visit) -> Result<HttpResponse, ConsoleError> {
    let page = page(&visit);
    Ok(show_page(&PeoplePage::new(&visit, page).await?))
}

/// `POST /console/people/invite`: makes a link for a new user, or another link for a known one.
pub(crate) async fn invite(form: Form<InvitationFields>) -> Result<HttpResponse, ConsoleError> {
    let Form { visit, fields } = form;
    let users = visit.services().users.acting_as(&visit.actor());
    let role = parse_role(&fields.role)?;
    let name: UserName = match fields.name.parse() {
        Ok(name) => name,
        Err(error) => return correct(&visit, ConsoleError::input(error)).await,
    };
    let invited_user = match users.invite(name, role).await {
        Ok(invited_user) => invited_user,
        Err(error) => return correct(&visit, error.into()).await,
    };
    let mut people_page = PeoplePage::new(&visit, page(&visit)).await?;
    people_page.invitation = Some(Invitation::new(&visit, &invited_user));
    Ok(show_page(&people_page))
}

/// `POST /console/people/{user}/role`: changes the role of a user.
pub(crate) async fn set_role(
    reference: Path<String>,
    form: Form<RoleFields>,
) -> Result<HttpResponse, ConsoleError> {
    let Form { visit, fields } = form;
    let users = visit.services().users.acting_as(&visit.actor());
    let user = users.find(&reference).await?;
    let role = parse_role(&fields.role)?;
    match users.set_role(user.id, role).await {
        Ok(_) => Ok(redirect_done(&people_path(), "role_changed")),
        Err(error) => correct(&visit, error.into()).await,
    }
}

/// `POST /console/people/{user}/remove`: removes a user.
pub(crate) async fn remove(
    reference: Path<String>,
    form: Form<NoFields>,
) -> Result<HttpResponse, ConsoleError> {
    let visit = form.visit;
    let users = visit.services().users.acting_as(&visit.actor());
    let user = users.find(&reference).await?;
    match users.remove(user.id).await {
        Ok(_) => Ok(redirect_done(&people_path(), "user_removed")),
        Err(error) => correct(&visit, error.into()).await,
    }
}

/// `POST /console/people/sessions/{session}/end`: ends a session of the user.
pub(crate) async fn end_session(
    session: Path<String>,
    form: Form<NoFields>,
) -> Result<HttpResponse, ConsoleError> {
    let visit = form.visit;
    let session = visit
        .user
        .sessions
        .iter()
        .find(|own_session| own_session.digest.to_string() == *session);
    let session =
        session.ok_or_else(|| ConsoleError::not_found("session of yours with this id"))?;
    let users = visit.services().users.acting_as(&visit.actor());
    users.end_session(visit.user.id, session.digest).await?;
    Ok(redirect_done(&people_path(), "session_ended"))
}

fn page(visit: &Visit) -> Page {
    Page::new(visit, "People and tokens")
}

fn people_path() -> String {
    format!("{}/people", crate::PREFIX)
}

fn parse_role(name: &str) -> Result<Role, ConsoleError> {
    name.parse().map_err(|_| ConsoleError::unreadable_form())
}

/// Shows the page again with what was wrong.
async fn correct(visit: &Visit, error: ConsoleError) -> Result<HttpResponse, ConsoleError> {
    let problem = error.into_correction()?;
    let page = page(visit).with_error(&problem);
    Ok(show_again(&PeoplePage::new(visit, page).await?))
}

impl PeoplePage {
    async fn new(visit: &Visit, page: Page) -> Result<Self, ConsoleError> {
        let services = visit.services();
        let users = services.users.list().await?;
        let tokens = services.admin_tokens.list().await?;
        let active_users = users.iter().filter(|user| user.is_active());
        let active_sessions = visit
            .user
            .sessions
            .iter()
            .filter(|session| session.is_active(visit.now));
        Ok(Self {
            page,
            users: active_users.map(|user| UserRow::new(visit, user)).collect(),
            tokens: tokens
                .iter()
                .map(|token| TokenRow::new(visit, token))
                .collect(),
            sessions: active_sessions
                .map(|session| SessionRow::new(visit, session))
                .collect(),
            roles: Role::ALL.map(Role::as_str),
            invitation: None,
        })
    }
}

impl UserRow {
    fn new(visit: &Visit, user: &User) -> Self {
        let passkeys = user
            .passkeys
            .iter()
            .map(|passkey| format!("passkey {}", passkey.label));
        let wallets = user
            .wallets
            .iter()
            .map(|wallet| format!("wallet {}", wallet.address));
        let ways: Vec<_> = passkeys.chain(wallets).collect();
        let open_link = user
            .link
            .filter(|link| link.used_at.is_none() && visit.now < link.expires_at);
        Self {
            id: user.id.to_string(),
            name: user.name.to_string(),
            role: user.role.as_str(),
            ways: ways.join(", "),
            seen_at: user.seen_at.map(|at| Time::new(at, visit.now)),
            invitation_ends: open_link.map(|link| Time::new(link.expires_at, visit.now)),
            is_self: user.id == visit.user.id,
        }
    }
}

impl TokenRow {
    fn new(visit: &Visit, token: &AdminToken) -> Self {
        Self {
            name: token.name.to_string(),
            id: token.id.to_string(),
            role: token.role.as_str(),
            state: if token.is_active() {
                State::good("Active")
            } else {
                State::neutral("Revoked")
            },
            created_at: Time::new(token.created_at, visit.now),
        }
    }
}

impl SessionRow {
    fn new(visit: &Visit, session: &UserSession) -> Self {
        Self {
            id: session.digest.to_string(),
            device: session.device.clone(),
            created_at: Time::new(session.created_at, visit.now),
            is_current: session.digest == visit.session.digest,
        }
    }
}

impl Invitation {
    fn new(visit: &Visit, invited_user: &InvitedUser) -> Self {
        let link = invited_user.link.expose();
        Self {
            name: invited_user.user.name.to_string(),
            url: format!(
                "{}{}/{}",
                visit.state.settings.origin,
                crate::SIGN_IN_PATH,
                link.as_str()
            ),
            expires_at: Time::new(invited_user.expires_at, visit.now),
        }
    }
}
