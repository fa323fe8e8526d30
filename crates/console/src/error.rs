//! Errors of the console, each of which is a page: what happened, what it means, what to do next.

use crate::response::render;
use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, ResponseError};
use askama::Template;
use std::fmt;
use voight_domain::ports::StoreError;
use voight_domain::registry::{Permission, Role};
use voight_domain::services::ServiceError;

/// Error of a request to the console.
#[derive(Debug)]
pub(crate) struct ConsoleError(Box<ErrorPage>);

/// Page of an error.
#[derive(Debug, Template)]
#[template(path = "error.html")]
struct ErrorPage {
    status: StatusCode,
    /// Redirect instead of the page.
    location: Option<String>,
    title: String,
    text: String,
    code: &'static str,
    /// Command that helps; empty without one.
    command: String,
}

impl ConsoleError {
    fn new(status: StatusCode, code: &'static str, title: &str, text: impl Into<String>) -> Self {
        Self(Box::new(ErrorPage {
            status,
            location: None,
            title: title.to_owned(),
            text: text.into(),
            code,
            command: String::new(),
        }))
    }

    fn with_command(mut self, command: impl Into<String>) -> Self {
        self.0.command = command.into();
        self
    }

    /// Creates the redirect of a request without a session to the page of the sign-in.
    pub(crate) fn signed_out(location: String) -> Self {
        let title = "You are signed out";
        let mut error = Self::new(StatusCode::SEE_OTHER, "signed_out", title, "");
        error.0.location = Some(location);
        error
    }

    /// Creates the error of a user whose role lacks a permission.
    pub(crate) fn forbidden(name: &str, role: Role, permission: Permission) -> Self {
        let text = format!(
            "You are signed in as {name}, {role}. This page is for the role {}. An owner can change your role.",
            permission.roles()
        );
        Self::new(
            StatusCode::FORBIDDEN,
            "role",
            "Your role cannot see this",
            text,
        )
    }

    /// Creates the error of a change that requires a fresh proof of identity.
    pub(crate) fn stale_proof(name: &str, role: Role) -> Self {
        let text = "This change needs a proof of identity of the last 5 minutes. Nothing was changed. Make a link on the server, \
                    open it in this browser, and repeat the change.";
        let command = format!("voight user invite {name:?} --role {role}");
        let title = "Confirm that it is you";
        Self::new(StatusCode::FORBIDDEN, "proof", title, text).with_command(command)
    }

    /// Creates the error of something that does not exist.
    pub(crate) fn not_found(what: &str) -> Self {
        let text = format!(
            "There is no {what}. It may be of another service, or its address may be incomplete."
        );
        Self::new(StatusCode::NOT_FOUND, "not_found", "Nothing is here", text)
    }

    /// Creates the error of a `Host` to which the console does not answer.
    pub(crate) fn foreign_host(hosts: &[String]) -> Self {
        let text = format!(
            "The console answers at {} only. For another name, set `server.admin_hosts` on the server.",
            hosts.join(", ")
        );
        let title = "The console has another address";
        Self::new(StatusCode::MISDIRECTED_REQUEST, "host", title, text)
    }

    /// Creates the error of a change that another site has caused.
    pub(crate) fn foreign_form() -> Self {
        let text = "Another site has sent this form, or the browser did not say which one. Nothing was changed. Open the console \
                    and use its own form.";
        let title = "This form is not from the console";
        Self::new(StatusCode::FORBIDDEN, "form_origin", title, text)
    }

    /// Creates the error of a form of another session.
    pub(crate) fn old_form() -> Self {
        let text = "The form was opened in another session, for example before you signed in again. Nothing was changed. Go back, \
                    reload the page, and send the form again.";
        Self::new(
            StatusCode::CONFLICT,
            "form_session",
            "This form is too old",
            text,
        )
    }

    /// Creates the error of a form that lacks a field or is too large.
    pub(crate) fn unreadable_form() -> Self {
        let text = "A field is missing or too long. Nothing was changed. Go back, reload the page, and send the form again.";
        let title = "The form cannot be read";
        Self::new(StatusCode::BAD_REQUEST, "form", title, text)
    }

    /// Creates the error of a sign-in link that cannot be used.
    pub(crate) fn unusable_link() -> Self {
        let text = "A link works once, for 15 minutes. This one has expired, was used, or is incomplete. Make another one on the server.";
        let title = "This link cannot be used";
        Self::new(StatusCode::GONE, "link", title, text)
            .with_command("voight user invite NAME --role ROLE")
    }

    /// Creates the error of a bug.
    pub(crate) fn internal() -> Self {
        let text = "The page could not be made. Nothing was changed. The log of the service has the reason.";
        let title = "Something went wrong";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", title, text)
    }

    /// Creates the error of an input that can be corrected.
    pub(crate) fn input(problem: impl fmt::Display) -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "input",
            "The input was rejected",
            sentence(&problem.to_string()),
        )
    }

    /// Returns the sentence about an input that can be corrected, for its form.
    ///
    /// # Errors
    ///
    /// The error itself if no other input helps.
    pub(crate) fn into_correction(self) -> Result<String, Self> {
        if self.0.status == StatusCode::UNPROCESSABLE_ENTITY {
            Ok(self.0.text)
        } else {
            Err(self)
        }
    }
}

impl From<StoreError> for ConsoleError {
    fn from(error: StoreError) -> Self {
        if let StoreError::Conflict(message) = error {
            let title = "The change was rejected";
            return Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "conflict",
                title,
                sentence(&message),
            );
        }
        tracing::warn!(event = "console_page_failed", %error, "a page of the console cannot be shown");
        let text = "This page needs the store, and the store has not answered. Nothing was stored. Try again in a moment.";
        let title = "The store does not answer";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "store", title, text)
            .with_command("voight doctor")
    }
}

impl From<ServiceError> for ConsoleError {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::NotFound(what) => Self::not_found(&what),
            ServiceError::Invalid(message) => Self::input(message),
            ServiceError::Store(error) => error.into(),
        }
    }
}

/// Returns a message as a sentence with a capital and a full stop.
pub(crate) fn sentence(message: &str) -> String {
    let mut characters = message.chars();
    let Some(first) = characters.next() else {
        return String::new();
    };
    let end = if message.ends_with('.') { "" } else { "." };
    format!("{}{}{end}", first.to_uppercase(), characters.as_str())
}

impl fmt::Display for ConsoleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.title, self.0.text)
    }
}

impl ResponseError for ConsoleError {
    fn status_code(&self) -> StatusCode {
        self.0.status
    }

    fn error_response(&self) -> HttpResponse {
        if let Some(location) = &self.0.location {
            return HttpResponse::SeeOther()
                .insert_header((header::LOCATION, location.as_str()))
                .finish();
        }
        render(self.0.status, self.0.as_ref())
    }
}
