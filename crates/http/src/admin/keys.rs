//! Handlers for API keys.

mod contexts;
mod issue;
mod list;
mod revoke;
mod rotate;

use super::routes::{Routes, get, post};
use voight_domain::registry::Permission::{Operate, Read};

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add("/keys", "GET, POST", [get(Read, list::list), post(Operate, issue::issue)])
        .add("/keys/{key}/contexts", "GET", [get(Read, contexts::list)])
        .add("/keys/{key}/rotate", "POST", [post(Operate, rotate::rotate)])
        .add("/keys/{key}/revoke", "POST", [post(Operate, revoke::revoke)]);
}
