//! Handlers for API keys.

mod contexts;
mod issue;
mod list;
mod revoke;
mod rotate;

use super::routes::Routes;
use voight_api::admin::routes;

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add(&routes::LIST_KEYS, list::list)
        .add(&routes::ISSUE_KEY, issue::issue)
        .add(&routes::LIST_CONTEXTS_AT_STAKE, contexts::list)
        .add(&routes::ROTATE_KEY, rotate::rotate)
        .add(&routes::REVOKE_KEY, revoke::revoke);
}
