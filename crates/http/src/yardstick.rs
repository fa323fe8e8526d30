//! The least that a server like this one does for a request. What a lookup costs is measured against it.

use actix_web::dev::Server;
use actix_web::{App, HttpResponse, HttpServer, web};
use std::io;
use std::net::TcpListener;

/// As many bytes as an answer of the service has, about.
const BODY: [u8; 120] = [b'.'; 120];

/// Answers every `GET /` with the same 120 bytes: a bare route of actix-web, on its own connections, without anything of ours
/// around it. There are as many workers as `serve_public` has by default, one for each core.
pub fn serve_yardstick(listener: TcpListener) -> io::Result<Server> {
    let page = || async { HttpResponse::Ok().body(BODY.as_slice()) };
    Ok(HttpServer::new(move || App::new().route("/", web::get().to(page))).listen(listener)?.run())
}
