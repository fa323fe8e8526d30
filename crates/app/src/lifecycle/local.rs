//! Embedded admin API for one command, on a free port with its own random token.

use super::run::{block_on, close_store};
use crate::config::Config;
use crate::exit::CommandError;
use crate::http_settings::{app_state, settings};
use actix_web::dev::ServerHandle;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::mpsc;
use std::thread::JoinHandle;
use voight_api::AdminTokenSecret;
use voight_domain::services::Services;
use voight_http::admin::serve_admin;

/// Running embedded admin API; stopped on drop.
pub(crate) struct LocalAdmin {
    addr: SocketAddr,
    handle: ServerHandle,
    thread: Option<JoinHandle<()>>,
}

impl LocalAdmin {
    /// Starts the admin API over these services.
    pub(crate) fn start(
        services: Services,
        config: &Config,
        token: AdminTokenSecret,
    ) -> Result<Self, CommandError> {
        let port_error = |error: std::io::Error| {
            CommandError::internal(format!("no port of this machine can be used: {error}"))
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(port_error)?;
        let addr = listener.local_addr().map_err(port_error)?;
        let state = app_state(services, settings(config, addr));
        let maintenance = state.services.maintenance.clone();
        let (report, started) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            block_on(async move {
                match serve_admin(listener, &state, token, None) {
                    Ok(server) => {
                        let _ = report.send(Ok(server.handle()));
                        drop(state);
                        let _ = server.await;
                        close_store(&maintenance).await;
                    }
                    Err(error) => drop(report.send(Err(error))),
                }
            });
        });
        match started.recv() {
            Ok(Ok(handle)) => Ok(Self {
                addr,
                handle,
                thread: Some(thread),
            }),
            Ok(Err(error)) => Err(port_error(error)),
            Err(_) => Err(CommandError::internal(
                "the store could not be opened for this command; the log has the reason",
            )),
        }
    }

    /// Returns the address of the listener.
    pub(crate) const fn addr(&self) -> SocketAddr {
        self.addr
    }
}

impl Drop for LocalAdmin {
    fn drop(&mut self) {
        // The stop command was sent when this returns; the thread ends once it has been executed.
        drop(self.handle.stop(false));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
