//! Handlers for contexts.

mod change;
mod list;
mod move_context;
mod register;
mod show;

use super::routes::{Routes, get, patch, post};
use voight_domain::registry::Permission::{Operate, Read};

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add("/contexts", "GET, POST", [get(Read, list::list), post(Operate, register::register)])
        .add("/contexts/{context}", "GET, PATCH", [get(Read, show::show), patch(Operate, change::change)])
        .add("/contexts/{context}/move", "POST", [post(Operate, move_context::move_context)]);
}
