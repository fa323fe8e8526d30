//! Keys.

mod contexts;
mod issue;
mod list;
mod revoke;
mod rotate;

use super::error::not_found;
use super::routes::{Routes, get, post};
use crate::error::ApiError;
use voight_domain::registry::Permission::{Operate, Read};
use voight_domain::vocabulary::KeyId;

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add("/keys", "GET, POST", [get(Read, list::list), post(Operate, issue::issue)])
        .add("/keys/{key}/contexts", "GET", [get(Read, contexts::list)])
        .add("/keys/{key}/rotate", "POST", [post(Operate, rotate::rotate)])
        .add("/keys/{key}/revoke", "POST", [post(Operate, revoke::revoke)]);
}

/// The id in `text`; text that is no id names no key.
pub(super) fn key_id(text: &str) -> Result<KeyId, ApiError> {
    text.parse().map_err(|_| not_found(&format!("key {text:?}")))
}
