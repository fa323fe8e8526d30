//! Handlers for clients.

mod adjustments;
mod change;
mod close;
mod create;
mod limits;
mod list;
mod show;

use super::routes::Routes;
use voight_api::admin::routes;

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add(&routes::LIST_CLIENTS, list::list)
        .add(&routes::CREATE_CLIENT, create::create)
        .add(&routes::SHOW_CLIENT, show::show)
        .add(&routes::CHANGE_CLIENT, change::change)
        .add(&routes::CLOSE_CLIENT, close::close)
        .add(&routes::SHOW_LIMITS, limits::show)
        .add(&routes::CHANGE_LIMITS, limits::change)
        .add(&routes::LIST_ADJUSTMENTS, adjustments::list)
        .add(&routes::ADJUST, adjustments::make);
}
