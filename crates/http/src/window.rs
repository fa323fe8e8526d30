//! Window: its document, its files, and the checks that it runs. Its endpoints need no key, and their responses contain no
//! findings.
//!
//! The protocol is described in `docs/reference/window-protocol.md`.

mod call;
mod check_headers;
mod complete;
mod disclosure_page;
mod document;
mod evidence;
mod files;
mod open;
mod ownership;
mod policy;
mod rejection;
mod request_metadata;
mod same_origin;

use crate::endpoint::{file_endpoint, public_endpoint};
use actix_web::web::{self, ServiceConfig};

pub(crate) use same_origin::OwnOrigin;

/// Mounts the window, and the files of the component.
pub(crate) fn configure(cfg: &mut ServiceConfig) {
    cfg.service(public_endpoint("/window/v1", "GET", [web::get().to(document::show)]))
        .service(public_endpoint("/window/v1/what-is-checked", "GET", [web::get().to(disclosure_page::show)]))
        .service(file_endpoint("/window/v1/what-is-checked.css", "GET", [web::get().to(disclosure_page::style)]))
        .service(public_endpoint("/window/v1/checks", "POST", [web::post().to(open::open)]))
        .service(public_endpoint(
            "/window/v1/checks/{check}/ownership",
            "POST",
            [web::post().to(ownership::prove_ownership)],
        ))
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
