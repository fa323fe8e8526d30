//! Contexts.

mod change;
mod list;
mod move_context;
mod register;
mod show;

use super::error::not_found;
use super::routes::{Routes, get, patch, post};
use crate::error::ApiError;
use voight_domain::registry::Permission::{Operate, Read};
use voight_domain::vocabulary::ContextId;

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add("/contexts", "GET, POST", [get(Read, list::list), post(Operate, register::register)])
        .add("/contexts/{context}", "GET, PATCH", [get(Read, show::show), patch(Operate, change::change)])
        .add("/contexts/{context}/move", "POST", [post(Operate, move_context::move_context)]);
}

/// The id in `text`; text that is no id names no context.
pub(super) fn context_id(text: &str) -> Result<ContextId, ApiError> {
    text.parse().map_err(|_| not_found(&format!("context {text:?}")))
}
