//! Handlers for contexts.

mod change;
mod list;
mod move_context;
mod register;
mod show;

use super::routes::Routes;
use voight_api::admin::routes;

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add(&routes::LIST_CONTEXTS, list::list)
        .add(&routes::CREATE_CONTEXT, register::register)
        .add(&routes::SHOW_CONTEXT, show::show)
        .add(&routes::CHANGE_CONTEXT_SETTINGS, change::change)
        .add(&routes::MOVE_CONTEXT, move_context::move_context);
}
