//! Request of a user who is signed in.

use crate::error::ConsoleError;
use crate::{ConsoleState, SIGN_IN_PATH};
use actix_web::dev::Payload;
use actix_web::http::header::{self, HeaderName};
use actix_web::{FromRequest, HttpRequest, web};
use std::future::Future;
use std::pin::Pin;
use subtle::ConstantTimeEq;
use voight_domain::Timestamp;
use voight_domain::registry::{Actor, Permission, User, UserSession};
use voight_domain::secrets::{UserSecret, UserSecretDigest};
use voight_domain::services::Services;

const SESSION_COOKIE: &str = "__Host-voight-console";
const THEME_COOKIE: &str = "__Host-voight-theme";
const FORM_TOKEN_CONTEXT: &str = "voight console form token";

/// Permission that a route requires, and whether it requires a fresh proof of identity.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Requirement {
    /// The permission.
    pub(crate) permission: Permission,
    /// `true` for a route that requires a proof of identity within the last minutes.
    pub(crate) needs_fresh_proof: bool,
}

/// Appearance of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Theme {
    /// As the device.
    #[default]
    Device,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// Request of a user who is signed in and may use the route.
pub(crate) struct Visit {
    /// State of the console.
    pub(crate) state: web::Data<ConsoleState>,
    /// The user.
    pub(crate) user: User,
    /// The session of the request.
    pub(crate) session: UserSession,
    /// Time of the request.
    pub(crate) now: Timestamp,
    /// Appearance of the pages.
    pub(crate) theme: Theme,
    /// Path of the request.
    pub(crate) path: String,
    /// Result of the form before the redirect to this page.
    pub(crate) done: Option<String>,
}

impl Visit {
    /// Returns the use cases.
    pub(crate) fn services(&self) -> &Services {
        &self.state.services
    }

    /// Returns the author of the changes of this request.
    pub(crate) fn actor(&self) -> Actor {
        Actor::User(self.user.name.clone())
    }

    /// Returns `true` if the role of the user has `permission`.
    pub(crate) const fn allows(&self, permission: Permission) -> bool {
        self.user.role.allows(permission)
    }

    /// Returns the token of the forms of this session.
    pub(crate) fn form_token(&self) -> String {
        form_token(&self.session.digest)
    }

    /// Returns `true` if a form of this session has sent `token`.
    pub(crate) fn accepts_form(&self, token: &str) -> bool {
        self.form_token().as_bytes().ct_eq(token.as_bytes()).into()
    }

    async fn from_parts(request: HttpRequest) -> Result<Self, ConsoleError> {
        let state = request
            .app_data::<web::Data<ConsoleState>>()
            .cloned()
            .ok_or_else(ConsoleError::internal)?;
        let requirement = request
            .app_data::<Requirement>()
            .copied()
            .ok_or_else(ConsoleError::internal)?;
        let session_text = cookie(&request, SESSION_COOKIE).unwrap_or_default();
        let session = state.services.users.session(&session_text).await?;
        let (user, session) =
            session.ok_or_else(|| ConsoleError::signed_out(sign_in_path(&request)))?;
        let visit = Self {
            now: state.clock.now(),
            theme: Theme::of(&request),
            path: request.path().to_owned(),
            done: done(&request),
            state,
            user,
            session,
        };
        if !visit.allows(requirement.permission) {
            return Err(ConsoleError::forbidden(
                visit.user.name.as_str(),
                visit.user.role,
                requirement.permission,
            ));
        }
        if requirement.needs_fresh_proof && !visit.session.is_fresh(visit.now) {
            return Err(ConsoleError::stale_proof(
                visit.user.name.as_str(),
                visit.user.role,
            ));
        }
        Ok(visit)
    }
}

impl FromRequest for Visit {
    type Error = ConsoleError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ConsoleError>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        Box::pin(Self::from_parts(request.clone()))
    }
}

impl Theme {
    /// Returns the theme that a visitor of the console has chosen.
    pub(crate) fn of(request: &HttpRequest) -> Self {
        Self::from_name(&cookie(request, THEME_COOKIE).unwrap_or_default())
    }

    /// Returns the theme of this name, or that of the device.
    pub(crate) fn from_name(name: &str) -> Self {
        match name {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::Device,
        }
    }

    /// Returns the name of the theme.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Device => "device",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// Header that sets a cookie.
pub(crate) type CookieHeader = (HeaderName, String);

/// Returns the cookie of a session. It has no expiry of its own: the session ends at the server.
pub(crate) fn session_cookie(session: &UserSecret) -> CookieHeader {
    set_cookie(SESSION_COOKIE, &session.expose(), "")
}

/// Returns the cookie that removes the session from the browser.
pub(crate) fn removed_session_cookie() -> CookieHeader {
    set_cookie(SESSION_COOKIE, "", "; Max-Age=0")
}

/// Returns the cookie of a theme, for a year.
pub(crate) fn theme_cookie(theme: Theme) -> CookieHeader {
    set_cookie(THEME_COOKIE, theme.name(), "; Max-Age=31536000")
}

fn set_cookie(name: &str, value: &str, lifetime: &str) -> CookieHeader {
    let attributes = "; Path=/; Secure; HttpOnly; SameSite=Strict";
    (
        header::SET_COOKIE,
        format!("{name}={value}{attributes}{lifetime}"),
    )
}

/// Returns the value of a cookie of a request.
fn cookie(request: &HttpRequest, name: &str) -> Option<String> {
    let headers = request.headers().get_all(header::COOKIE);
    headers
        .filter_map(|header| header.to_str().ok())
        .flat_map(|header| header.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(cookie_name, _)| *cookie_name == name)
        .map(|(_, value)| value.to_owned())
}

fn form_token(session: &UserSecretDigest) -> String {
    let token = blake3::derive_key(FORM_TOKEN_CONTEXT, &session.0);
    blake3::Hash::from_bytes(token).to_hex()[..32].to_owned()
}

fn done(request: &HttpRequest) -> Option<String> {
    let mut pairs = request.query_string().split('&');
    pairs.find_map(|pair| pair.strip_prefix("done=").map(str::to_owned))
}

/// Returns the path of the sign-in page that leads back to a page.
fn sign_in_path(request: &HttpRequest) -> String {
    let path = request.path();
    if request.method().is_safe() && path != crate::PREFIX {
        format!("{SIGN_IN_PATH}?next={path}")
    } else {
        SIGN_IN_PATH.to_owned()
    }
}
