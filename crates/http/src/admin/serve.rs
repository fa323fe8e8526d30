//! Serving the admin app on a listener of its own.

use super::{AdminToken, create_admin_app};
use crate::state::AppState;
use actix_web::dev::Server;
use actix_web::{HttpServer, web};
use std::io;
use std::net::TcpListener;

/// Operators and probes are few.
const WORKERS: usize = 1;
const MAX_CONNECTIONS: usize = 256;

/// Serves the admin app on `listener` until the server's handle stops it. Stop it last, so that probes see the drain.
pub fn serve_admin(listener: TcpListener, state: &web::Data<AppState>, token: AdminToken) -> io::Result<Server> {
    let settings = &state.settings;
    let for_apps = state.clone();
    let server = HttpServer::new(move || create_admin_app(for_apps.clone(), token.clone()))
        .workers(WORKERS)
        .keep_alive(settings.keep_alive)
        .client_request_timeout(settings.head_timeout)
        .max_connections(MAX_CONNECTIONS)
        .shutdown_timeout(settings.shutdown_timeout.as_secs())
        .disable_signals();
    Ok(server.listen(listener)?.run())
}
