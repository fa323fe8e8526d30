//! Serves an app on a listener.

use crate::app::create_app;
use crate::in_flight::InFlightPermit;
use crate::limits::Network;
use crate::metrics::RejectionReason;
use crate::protocol::{Accepted, HttpTimeouts, serve_connection};
use crate::settings::HttpSettings;
use crate::state::AppState;
use actix_http::error::DispatchError;
use actix_http::{Request, Response};
use actix_server::{GracefulShutdownSignal, ServerBuilder};
use actix_service::{IntoServiceFactory, ServiceFactoryExt};
use actix_web::body::MessageBody;
use actix_web::dev::{AppConfig, Server, ServiceFactory, fn_service};
use actix_web::rt::net::{TcpStream, UnixStream};
use actix_web::web;
use std::fmt::Debug;
use std::future::ready;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::net::UnixListener;
use tokio::io::{AsyncRead, AsyncWrite};

/// Capacity of a listener.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Capacity {
    /// Number of worker threads; `None` means one for each core.
    pub(crate) workers: Option<usize>,
    /// Maximum number of connections of each worker.
    pub(crate) connections: usize,
}

/// Serves the public app on `listener` until the server's handle stops it. The app handles signals, since it has to drain
/// first.
pub fn serve_public(listener: TcpListener, state: &web::Data<AppState>) -> io::Result<Server> {
    let settings = &state.settings;
    let for_apps = state.clone();
    let capacity = Capacity { workers: settings.workers, connections: settings.max_connections };
    let counted = state.clone();
    let admit = move |peer: Option<SocketAddr>| admit(&counted, peer);
    serve(listener, capacity, settings, admit, move || create_app(for_apps.clone()))
}

/// Takes a permit of a connection's network, or fails if it has too many connections. Returns `None` for a trusted proxy, which
/// connects for many callers.
fn admit(state: &AppState, peer: Option<SocketAddr>) -> io::Result<Option<InFlightPermit<Network>>> {
    let peer = peer.map(|peer| peer.ip().to_canonical());
    let Some(peer) = peer.filter(|peer| !state.settings.trusts(*peer)) else { return Ok(None) };
    let permit = state.connections.acquire(peer.into(), state.settings.max_connections_per_network);
    permit.map(Some).ok_or_else(|| {
        state.metrics.record_rejection(RejectionReason::NetworkConnections);
        io::Error::other("the network has too many connections")
    })
}

/// Serves `app`, built once for each worker, on connections that `admit` accepts.
pub(crate) fn serve<A, F, B>(
    listener: TcpListener,
    capacity: Capacity,
    settings: &HttpSettings,
    admit: impl Fn(Option<SocketAddr>) -> io::Result<Option<InFlightPermit<Network>>> + Send + Clone + 'static,
    app: impl Fn() -> A + Send + Clone + 'static,
) -> io::Result<Server>
where
    A: IntoServiceFactory<F, Request>,
    F: ServiceFactory<Request, Config = AppConfig> + 'static,
    F::Error: Into<actix_web::Error>,
    F::InitError: Debug,
    F::Response: Into<Response<B>>,
    B: MessageBody + 'static,
{
    let accept = move |stream: TcpStream| {
        let peer = stream.peer_addr().ok();
        admit(peer).map(|permit| Accepted { stream, peer, permit })
    };
    let (server, timeouts) = (builder(capacity, settings), HttpTimeouts::from(settings));
    let ending = server.graceful_shutdown_signal();
    let connections = move || answer_accepted(accept.clone(), app(), timeouts, ending.clone());
    Ok(server.listen("voight", listener, connections)?.run())
}

/// Serves `app` on a Unix socket. Its requests have no peer address.
pub(crate) fn serve_socket<A, F, B>(
    listener: UnixListener,
    capacity: Capacity,
    settings: &HttpSettings,
    app: impl Fn() -> A + Send + Clone + 'static,
) -> io::Result<Server>
where
    A: IntoServiceFactory<F, Request>,
    F: ServiceFactory<Request, Config = AppConfig> + 'static,
    F::Error: Into<actix_web::Error>,
    F::InitError: Debug,
    F::Response: Into<Response<B>>,
    B: MessageBody + 'static,
{
    let accept = |stream: UnixStream| Ok(Accepted { stream, peer: None, permit: None });
    let (server, timeouts) = (builder(capacity, settings), HttpTimeouts::from(settings));
    let ending = server.graceful_shutdown_signal();
    let connections = move || answer_accepted(accept, app(), timeouts, ending.clone());
    Ok(server.listen_uds("voight", listener, connections)?.run())
}

/// Serves `app` on the connections of a listener that `accept` admits, until `ending` is notified. Equivalent to actix's
/// `HttpServer`, but with the connection type of this crate.
fn answer_accepted<I, S, A, F, B>(
    accept: impl Fn(I) -> io::Result<Accepted<S>> + Clone + 'static,
    app: A,
    timeouts: HttpTimeouts,
    ending: GracefulShutdownSignal,
) -> impl ServiceFactory<I, Config = (), Response = (), Error = DispatchError, InitError = ()>
where
    I: 'static,
    S: AsyncRead + AsyncWrite + Unpin + 'static,
    A: IntoServiceFactory<F, Request>,
    F: ServiceFactory<Request, Config = AppConfig> + 'static,
    F::Error: Into<actix_web::Error>,
    F::InitError: Debug,
    F::Response: Into<Response<B>>,
    B: MessageBody + 'static,
{
    let accepted = move |stream: I| ready(accept(stream).map_err(DispatchError::Io));
    let ended = move || {
        let ending = ending.clone();
        async move { ending.notified().await }
    };
    fn_service(accepted).and_then(serve_connection(app, timeouts, ended))
}

/// Creates a builder of servers that ignore signals, since the app has to drain first.
fn builder(capacity: Capacity, settings: &HttpSettings) -> ServerBuilder {
    let server = Server::build()
        .max_concurrent_connections(capacity.connections)
        .shutdown_timeout(settings.shutdown_timeout.as_secs())
        .disable_signals();
    match capacity.workers {
        Some(workers) => server.workers(workers),
        None => server,
    }
}
