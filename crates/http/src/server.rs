//! Serving an app on a listener, with every limit of connections stated.

use crate::create_app::create_app;
use crate::state::AppState;
use actix_web::dev::Server;
use actix_web::{HttpServer, web};
use std::io;
use std::net::TcpListener;

/// Serves the public app on `listener` until the server's handle stops it. Signals are the app's business, since it has
/// to drain first.
pub fn serve_public(listener: TcpListener, state: &web::Data<AppState>) -> io::Result<Server> {
    let settings = &state.settings;
    let for_apps = state.clone();
    let server = HttpServer::new(move || create_app(for_apps.clone()))
        .keep_alive(settings.keep_alive)
        .client_request_timeout(settings.head_timeout)
        .max_connections(settings.max_connections)
        .shutdown_timeout(settings.shutdown_timeout.as_secs())
        .disable_signals();
    let server = match settings.workers {
        Some(workers) => server.workers(workers),
        None => server,
    };
    Ok(server.listen(listener)?.run())
}
