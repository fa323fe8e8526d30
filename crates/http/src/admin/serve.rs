//! Serving the admin app on listeners of its own.

use super::AdminToken;
use super::app::{OwnHosts, admin_app};
use crate::server::{Capacity, serve, serve_socket};
use crate::settings::HttpSettings;
use crate::state::AppState;
use actix_web::dev::Server;
use actix_web::web;
use std::io;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;

/// Serves the admin app on `listener` until the server's handle stops it. Stop it last, so that probes see the drain.
pub fn serve_admin(listener: TcpListener, state: &web::Data<AppState>, token: AdminToken) -> io::Result<Server> {
    let for_apps = state.clone();
    let hosts = OwnHosts(state.settings.admin_hosts.clone());
    let app = move || admin_app(for_apps.clone(), token.clone(), hosts.clone());
    serve(listener, capacity(&state.settings), &state.settings, |_| Ok(None), app)
}

/// Serves the admin app on a Unix socket, on a thread and with a connection limit of its own, so that no load of the TCP
/// listener keeps the operator of this machine out.
pub fn serve_admin_socket(
    listener: UnixListener,
    state: &web::Data<AppState>,
    token: AdminToken,
) -> io::Result<Server> {
    let for_apps = state.clone();
    let app = move || admin_app(for_apps.clone(), token.clone(), OwnHosts::of_socket());
    serve_socket(listener, capacity(&state.settings), &state.settings, app)
}

/// Capacity of each admin listener. Operators and probes are few.
fn capacity(settings: &HttpSettings) -> Capacity {
    Capacity { workers: Some(1), connections: settings.max_admin_connections }
}
