//! Keys.

mod contexts;
mod issue;
mod list;
mod revoke;
mod rotate;

use super::error::not_found;
use crate::endpoint::operator_endpoint;
use crate::error::ApiError;
use actix_web::web::{self, ServiceConfig};
use voight_domain::vocabulary::KeyId;

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(operator_endpoint("/keys", "GET, POST", [web::get().to(list::list), web::post().to(issue::issue)]))
        .service(operator_endpoint("/keys/{key}/contexts", "GET", [web::get().to(contexts::list)]))
        .service(operator_endpoint("/keys/{key}/rotate", "POST", [web::post().to(rotate::rotate)]))
        .service(operator_endpoint("/keys/{key}/revoke", "POST", [web::post().to(revoke::revoke)]));
}

/// The id in `text`; text that is no id names no key.
pub(super) fn key_id(text: &str) -> Result<KeyId, ApiError> {
    text.parse().map_err(|_| not_found(&format!("key {text:?}")))
}
