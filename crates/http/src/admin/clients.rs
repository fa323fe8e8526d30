//! Clients.

mod change;
mod create;
mod list;
mod show;

use crate::endpoint::operator_endpoint;
use actix_web::web::{self, ServiceConfig};

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(operator_endpoint(
            "/clients",
            "GET, POST",
            [web::get().to(list::list), web::post().to(create::create)],
        ))
        .service(operator_endpoint(
            "/clients/{client}",
            "GET, PATCH",
            [web::get().to(show::show), web::patch().to(change::change)],
        ));
}
