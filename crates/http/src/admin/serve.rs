//! Serves the admin app on separate listeners.

use super::app::{AdminPages, admin_app};
use crate::connection_table::ConnectionTable;
use crate::operator::OwnHosts;
use crate::server::{Capacity, serve, serve_socket};
use crate::settings::HttpSettings;
use crate::state::AppState;
use actix_web::dev::Server;
use actix_web::web;
use std::io;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use voight_api::AdminTokenSecret;

/// Serves the admin app and `pages` on `listener` until the server's handle stops it. The caller stops it last, so that probes see the
/// drain.
pub fn serve_admin(
    listener: TcpListener,
    state: &web::Data<AppState>,
    token: AdminTokenSecret,
    pages: Option<AdminPages>,
) -> io::Result<Server> {
    let for_apps = state.clone();
    let hosts = OwnHosts(state.settings.admin_hosts.clone());
    let app = move || {
        admin_app(
            for_apps.clone(),
            token.clone(),
            hosts.clone(),
            pages.clone(),
        )
    };
    let capacity = capacity(&state.settings);
    serve(
        listener,
        capacity,
        state,
        ConnectionTable::new(capacity.limit(), None),
        app,
    )
}

/// Serves the admin app on a Unix socket. The socket has its own thread and connection limit, so that load on the TCP listener
/// cannot lock out the operator of this machine.
pub fn serve_admin_socket(
    listener: UnixListener,
    state: &web::Data<AppState>,
    token: AdminTokenSecret,
) -> io::Result<Server> {
    let for_apps = state.clone();
    let app = move || admin_app(for_apps.clone(), token.clone(), OwnHosts::of_socket(), None);
    serve_socket(listener, capacity(&state.settings), &state.settings, app)
}

/// Returns the capacity of an admin listener. Operators and probes need few connections.
fn capacity(settings: &HttpSettings) -> Capacity {
    Capacity {
        workers: Some(1),
        connections: settings.max_admin_connections,
    }
}
