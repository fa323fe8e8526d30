//! The window: its document, its files, and the checks that it runs. No key is needed for any of it, and nothing that is
//! answered here says what was found.
//!
//! The protocol is described in `docs/reference/window-protocol.md`.

mod bind;
mod call;
mod complete;
mod document;
mod evidence;
mod facts;
mod files;
mod open;
mod policy;
mod proof;
mod refusal;
mod same_origin;
mod what_is_checked;

use crate::endpoint::{file_endpoint, public_endpoint};
use actix_web::web::{self, ServiceConfig};

/// Mounts the window, and the files of the component.
pub(crate) use same_origin::OwnOrigin;

pub(crate) fn configure(cfg: &mut ServiceConfig) {
    cfg.service(public_endpoint("/window/v1", "GET", [web::get().to(document::show)]))
        .service(public_endpoint("/window/v1/what-is-checked", "GET", [web::get().to(what_is_checked::show)]))
        .service(file_endpoint("/window/v1/what-is-checked.css", "GET", [web::get().to(what_is_checked::style)]))
        .service(public_endpoint("/window/v1/checks", "POST", [web::post().to(open::open)]))
        .service(public_endpoint("/window/v1/checks/{check}/binding", "POST", [web::post().to(bind::prove_ownership)]))
        .service(public_endpoint("/window/v1/checks/{check}/evidence", "POST", [web::post().to(evidence::submit)]))
        .service(public_endpoint("/window/v1/checks/{check}/complete", "POST", [web::post().to(complete::complete)]))
        .service(file_endpoint(
            "/window/v1/{file:.+}",
            "GET, HEAD",
            [web::get().to(files::window), web::head().to(files::window)],
        ))
        .service(file_endpoint(
            "/sdk/v1/{file:.+}",
            "GET, HEAD",
            [web::get().to(files::component), web::head().to(files::component)],
        ));
}
