//! Serving until shutdown.

use super::{
    backup_age, check_counts, clock_monitor, deliveries, delivery_logs, expiring_keys, jobs,
    key_uses, scrub, service_manager, signing_key_watch, snapshot_jobs,
};
use crate::config;
use crate::exit::CommandError;
use actix_web::dev::{Server, ServerHandle};
use actix_web::web;
use std::future::Future;
use std::io;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use voight_api::AdminTokenSecret;
use voight_domain::ports::{Health, StoreError};
use voight_domain::services::MaintenanceService;
use voight_http::AppState;
use voight_http::admin::{AdminPages, serve_admin, serve_admin_socket};

const PAUSE: Duration = Duration::from_millis(20);
/// Timeout for the final commit after all servers have stopped.
const FINAL_COMMIT_TIMEOUT: Duration = Duration::from_secs(5);
/// Interval between health checks of the store.
const HEALTH_POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Listeners of the admin API.
pub(crate) struct AdminListeners {
    /// Listener for probes, metrics and remote operators.
    pub(crate) tcp: TcpListener,
    /// Listener for commands on this machine; `None` without an admin socket.
    pub(crate) socket: Option<UnixListener>,
    /// Pages of the listener beside the admin API; `None` without the console.
    pub(crate) pages: Option<AdminPages>,
}

impl From<TcpListener> for AdminListeners {
    fn from(tcp: TcpListener) -> Self {
        Self {
            tcp,
            socket: None,
            pages: None,
        }
    }
}

/// Runs a future on its own runtime.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    actix_web::rt::System::new().block_on(future)
}

/// Initialises the clock guard from the ledgers, and serves all listeners until `shutdown` completes.
///
/// Then the service reports itself as not ready, requests in flight are answered, and the store makes its final commit. Returns
/// an error if the store or a listener stops. `store` names the store that is served.
pub(crate) async fn serve(
    public: TcpListener,
    admin: impl Into<AdminListeners>,
    state: web::Data<AppState>,
    token: AdminTokenSecret,
    store: config::Store,
    shutdown: impl Future<Output = ()>,
) -> Result<(), CommandError> {
    let unread =
        |error: StoreError| CommandError::internal(format!("the ledgers cannot be read: {error}"));
    state.refresh_recorded_time().await.map_err(unread)?;
    let listener_error = |error: io::Error| {
        CommandError::internal(format!("the listeners cannot be served: {error}"))
    };
    let public = voight_http::serve_public(public, &state).map_err(listener_error)?;
    let AdminListeners { tcp, socket, pages } = admin.into();
    let socket = socket
        .map(|socket| serve_admin_socket(socket, &state, token.clone()))
        .transpose()
        .map_err(listener_error)?;
    let admin = serve_admin(tcp, &state, token, pages).map_err(listener_error)?;
    let handles: Vec<_> = [
        Some(public.handle()),
        socket.as_ref().map(Server::handle),
        Some(admin.handle()),
    ]
    .into_iter()
    .flatten()
    .collect();
    let public = tokio::spawn(public);
    let admin = tokio::spawn(admin);
    let socket = tokio::spawn(until_ended(socket));
    let tasks = start_tasks(&state, &store);
    let mut deliveries = actix_web::rt::spawn(deliveries::run(state.clone()));
    service_manager::ready();
    let watchdog = actix_web::rt::spawn(service_manager::watchdog());
    let outcome = tokio::select! {
        () = shutdown => Ok(()),
        why = wait_for_fail_stop(&state) => Err(stopped(&store.url, &why)),
        _ = public => Err(CommandError::internal("the public listener has stopped unexpectedly; the log has the reason")),
        _ = admin => Err(CommandError::internal("the admin listener has stopped unexpectedly; the log has the reason")),
        _ = socket => Err(CommandError::internal("the admin socket has stopped unexpectedly; the log has the reason")),
    };
    tracing::info!(
        event = "shutdown_started",
        "stopping: no longer ready, requests in flight are still answered"
    );
    service_manager::stopping();
    state.drain();
    tasks.iter().for_each(JoinHandle::abort);
    key_uses::store(&state).await;
    let maintenance = state.services.maintenance.clone();
    let counted_checks = state.services.check_counts.clone();
    drop(state);
    drain(handles).await;
    check_counts::store(&counted_checks).await;
    drop(counted_checks);
    end_deliveries(&mut deliveries).await;
    close_store(&maintenance).await;
    watchdog.abort();
    outcome
}

/// Starts the background tasks, which are aborted when the service stops.
fn start_tasks(state: &web::Data<AppState>, store: &config::Store) -> [JoinHandle<()>; 10] {
    [
        actix_web::rt::spawn(jobs::run(state.clone())),
        actix_web::rt::spawn(clock_monitor::run(state.clone())),
        actix_web::rt::spawn(backup_age::run(state.clone())),
        actix_web::rt::spawn(key_uses::run(state.clone())),
        actix_web::rt::spawn(check_counts::run(state.clone())),
        actix_web::rt::spawn(expiring_keys::run(state.clone())),
        actix_web::rt::spawn(delivery_logs::run(state.clone())),
        actix_web::rt::spawn(signing_key_watch::run(state.clone())),
        actix_web::rt::spawn(snapshot_jobs::run(state.clone())),
        actix_web::rt::spawn(scrub::run(state.clone(), store.scrub_records_per_second)),
    ]
}

/// Waits until the store has failed permanently, and returns the reason.
async fn wait_for_fail_stop(state: &AppState) -> String {
    loop {
        if let Health::Failed(why) = state.services.maintenance.health() {
            return why;
        }
        sleep(HEALTH_POLL_INTERVAL).await;
    }
}

fn stopped(store: &str, reason: &str) -> CommandError {
    CommandError::internal(format!(
        "the store {store} has stopped ({reason}), and nothing was acknowledged since: check its disk, run `voight store verify`, and start the service again, or restore a backup"
    ))
}

/// Runs the server of the admin socket until it ends; never completes without one.
async fn until_ended(socket: Option<Server>) {
    match socket {
        Some(server) => drop(server.await),
        None => std::future::pending().await,
    }
}

/// Waits for the attempts in progress, which began before the service stopped.
async fn end_deliveries(deliveries: &mut JoinHandle<()>) {
    if timeout(deliveries::DRAIN_TIMEOUT, &mut *deliveries)
        .await
        .is_err()
    {
        deliveries.abort();
    }
}

/// Stops the servers one after the other. The admin listener is the last, so that probes can observe the shutdown.
async fn drain(handles: Vec<ServerHandle>) {
    for handle in handles {
        handle.stop(true).await;
    }
}

/// Waits until no worker holds the store, then closes it. Workers release it shortly after they have stopped, and the process
/// must not exit before the store is closed.
pub(super) async fn close_store(maintenance: &MaintenanceService) {
    let mut wait_time = Duration::ZERO;
    while maintenance.is_store_shared() && wait_time < FINAL_COMMIT_TIMEOUT {
        sleep(PAUSE).await;
        wait_time += PAUSE;
    }
}
