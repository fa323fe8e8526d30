//! Serving the admin app on a listener of its own.

use super::{AdminToken, create_admin_app};
use crate::server::{Capacity, serve};
use crate::state::AppState;
use actix_web::dev::Server;
use actix_web::web;
use std::io;
use std::net::TcpListener;

/// Serves the admin app on `listener` until the server's handle stops it. Stop it last, so that probes see the drain.
pub fn serve_admin(listener: TcpListener, state: &web::Data<AppState>, token: AdminToken) -> io::Result<Server> {
    let for_apps = state.clone();
    // Operators and probes are few.
    let capacity = Capacity { workers: Some(1), connections: state.settings.max_admin_connections };
    serve(listener, capacity, &state.settings, |_| Ok(None), move || create_admin_app(for_apps.clone(), token.clone()))
}
