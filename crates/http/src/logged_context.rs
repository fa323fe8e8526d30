//! Context that a caller named, as the log shows it.

use crate::extract::first_value;
use actix_web::{HttpMessage, HttpRequest};
use voight_domain::vocabulary::{ContextId, log_text};

/// Context in the body of a rejected request: an extension of the request.
pub(crate) struct NamedContext(pub(crate) String);

/// Returns the context that a request names in its query, or in its body if that was read; without secrets.
pub(crate) fn named_context(request: &HttpRequest) -> Option<String> {
    let extensions = request.extensions();
    let in_body = extensions.get::<NamedContext>().map(|NamedContext(id)| id);
    in_body
        .map(|id| logged_context(id))
        .or_else(|| first_value(request.query_string(), "context_id").map(|id| logged_context(&id)))
}

/// Removes secrets from the id of a context. Its suffix is public.
pub(crate) fn logged_context(context: &str) -> String {
    match context.parse::<ContextId>() {
        Ok(id) => format!(
            "{}{}",
            log_text(id.title()),
            &id.as_str()[id.title().len()..]
        ),
        Err(_) => log_text(context),
    }
}
