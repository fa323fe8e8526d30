//! Handlers for clients.

mod adjustments;
mod change;
mod close;
mod create;
mod limits;
mod list;
mod show;

use super::routes::{Routes, get, patch, post};
use voight_domain::registry::Permission::{Bill, Operate, ReadAccounts};

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add("/clients", "GET, POST", [get(ReadAccounts, list::list), post(Operate, create::create)])
        .add("/clients/{client}", "GET, PATCH", [get(ReadAccounts, show::show), patch(Operate, change::change)])
        .add("/clients/{client}/close", "POST", [post(Operate, close::close)])
        .add("/clients/{client}/limits", "GET, PATCH", [get(ReadAccounts, limits::show), patch(Bill, limits::change)])
        .add(
            "/clients/{client}/adjustments",
            "GET, POST",
            [get(ReadAccounts, adjustments::list), post(Bill, adjustments::make)],
        );
}
