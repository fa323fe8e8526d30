//! Clients.

mod adjustments;
mod change;
mod close;
mod create;
mod limits;
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
        ))
        .service(operator_endpoint("/clients/{client}/close", "POST", [web::post().to(close::close)]))
        .service(operator_endpoint(
            "/clients/{client}/limits",
            "GET, PATCH",
            [web::get().to(limits::show), web::patch().to(limits::change)],
        ))
        .service(operator_endpoint(
            "/clients/{client}/adjustments",
            "GET, POST",
            [web::get().to(adjustments::list), web::post().to(adjustments::make)],
        ));
}
