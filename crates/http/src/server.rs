//! Serves an app on a listener.

use crate::app::create_app;
use crate::connection_table::{
    AdmittedConnection, ConnectionRejection, ConnectionSlot, ConnectionTable,
};
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
use socket2::SockRef;
use std::fmt::Debug;
use std::future::ready;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroUsize;
use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::thread::available_parallelism;
use tokio::io::{AsyncRead, AsyncWrite};

/// Capacity of a listener.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Capacity {
    /// Number of worker threads; `None` means one for each core.
    pub(crate) workers: Option<usize>,
    /// Maximum number of connections of each worker.
    pub(crate) connections: usize,
}

/// Maximum number of unsent bytes of a connection in the kernel. Bytes on their way are not limited.
const UNSENT_BYTES: u32 = 32 << 10;
/// Divisor of the capacity: share of connections that is kept free, so that new ones are still accepted while others close.
const FREE_SHARE: usize = 8;

impl Capacity {
    /// Returns the number of connections of all workers above which connections that wait give way to new ones.
    pub(crate) fn limit(self) -> usize {
        let workers = self
            .workers
            .unwrap_or_else(|| available_parallelism().map_or(1, NonZeroUsize::get));
        let connections = self.connections.saturating_mul(workers);
        connections - connections / FREE_SHARE
    }
}

/// Serves the public app on `listener` until the server's handle stops it. The app handles signals, since it has to drain
/// first.
pub fn serve_public(listener: TcpListener, state: &web::Data<AppState>) -> io::Result<Server> {
    let settings = &state.settings;
    let for_apps = state.clone();
    let capacity = Capacity {
        workers: settings.workers,
        connections: settings.max_connections,
    };
    let connections =
        ConnectionTable::new(capacity.limit(), Some(settings.max_connections_per_network));
    serve(listener, capacity, state, connections, move || {
        create_app(for_apps.clone())
    })
}

/// Admits a connection from `peer`. A trusted proxy is not limited, since it connects for many callers.
fn admit(
    state: &AppState,
    connections: &Arc<ConnectionTable>,
    peer: Option<SocketAddr>,
) -> io::Result<ConnectionSlot> {
    let peer = peer
        .map(|peer| peer.ip().to_canonical())
        .filter(|peer| !state.settings.trusts(*peer));
    match connections.admit(peer.map(Into::into), state.monotonic_clock.elapsed()) {
        Ok(AdmittedConnection { slot, closed }) => {
            state
                .metrics
                .record_rejections(RejectionReason::ConnectionGaveWay, closed);
            Ok(slot)
        }
        Err(ConnectionRejection::Network) => {
            state
                .metrics
                .record_rejection(RejectionReason::NetworkConnections);
            Err(io::Error::other("the network has too many connections"))
        }
        Err(ConnectionRejection::AllInUse) => {
            state
                .metrics
                .record_rejection(RejectionReason::AllConnections);
            state
                .connection_overload
                .note(state.monotonic_clock.elapsed());
            Err(io::Error::other("all connections are in use"))
        }
    }
}

/// Serves `app`, built once for each worker, on connections that have a place among `connections`.
pub(crate) fn serve<A, F, B>(
    listener: TcpListener,
    capacity: Capacity,
    state: &web::Data<AppState>,
    connections: ConnectionTable,
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
    // Connections inherit the option of their listener.
    SockRef::from(&listener).set_tcp_notsent_lowat(UNSENT_BYTES)?;
    let settings = &state.settings;
    let server = builder(capacity, settings);
    let timeouts = HttpTimeouts::from(settings);
    let connections = Arc::new(connections);
    let admitting = state.clone();
    let accept = move |stream: TcpStream| {
        let peer = stream.peer_addr().ok();
        admit(&admitting, &connections, peer).map(|slot| Accepted {
            stream,
            peer,
            slot: Some(slot),
        })
    };
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
    let accept = |stream: UnixStream| {
        Ok(Accepted {
            stream,
            peer: None,
            slot: None,
        })
    };
    let server = builder(capacity, settings);
    let timeouts = HttpTimeouts::from(settings);
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
    let accept_stream = move |stream: I| ready(accept(stream).map_err(DispatchError::Io));
    let until_ending = move || {
        let ending = ending.clone();
        async move { ending.notified().await }
    };
    fn_service(accept_stream).and_then(serve_connection(app, timeouts, until_ending))
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
