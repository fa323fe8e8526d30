//! Contexts.

mod change;
mod list;
mod move_context;
mod register;
mod show;

use super::error::not_found;
use crate::endpoint::operator_endpoint;
use crate::error::ApiError;
use actix_web::web::{self, ServiceConfig};
use voight_domain::vocabulary::ContextId;

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(operator_endpoint(
            "/contexts",
            "GET, POST",
            [web::get().to(list::list), web::post().to(register::register)],
        ))
        .service(operator_endpoint(
            "/contexts/{context}",
            "GET, PATCH",
            [web::get().to(show::show), web::patch().to(change::change)],
        ))
        .service(operator_endpoint("/contexts/{context}/move", "POST", [web::post().to(move_context::move_context)]));
}

/// The id in `text`; text that is no id names no context.
pub(super) fn context_id(text: &str) -> Result<ContextId, ApiError> {
    text.parse().map_err(|_| not_found(&format!("context {text:?}")))
}
