//! HTTP/1.1 on connections of any kind, with all timeouts.

use crate::app::create_app;
use crate::connection::{ConnectionTimeouts, TimedConnection};
use crate::connection_table::ConnectionSlot;
use crate::key_memo::KeyMemo;
use crate::settings::HttpSettings;
use crate::state::AppState;
use actix_http::error::DispatchError;
use actix_http::{HttpService, Request, Response};
use actix_service::{IntoServiceFactory, ServiceFactoryExt, map_config};
use actix_web::body::MessageBody;
use actix_web::dev::{AppConfig, ServiceFactory, fn_service};
use actix_web::web;
use std::fmt::Debug;
use std::future::{Future, pending, ready};
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// Timeout for closing a connection.
const DISCONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Number of bytes of a response above which they are sent before more are produced.
const WRITE_BUFFER_BYTES: usize = 16 << 10;

/// Timeouts of connections.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HttpTimeouts {
    pub(crate) keep_alive: Duration,
    pub(crate) head: Duration,
}

impl From<&HttpSettings> for HttpTimeouts {
    fn from(settings: &HttpSettings) -> Self {
        Self {
            keep_alive: settings.keep_alive_timeout,
            head: settings.head_timeout,
        }
    }
}

/// Connection that a listener accepted.
#[derive(Debug)]
pub(crate) struct Accepted<S> {
    pub(crate) stream: S,
    /// Peer address; `None` on a Unix socket.
    pub(crate) peer: Option<SocketAddr>,
    /// Place among the connections of the listener, if these are limited.
    pub(crate) slot: Option<ConnectionSlot>,
}

/// Serves pairs of a connection and its peer as [`serve_public`](crate::serve_public) does, without a listener.
pub fn serve_public_connection<S: AsyncRead + AsyncWrite + Unpin + 'static>(
    state: web::Data<AppState>,
) -> impl ServiceFactory<
    (S, Option<SocketAddr>),
    Config = (),
    Response = (),
    Error = DispatchError,
    InitError = (),
> {
    let timeouts = HttpTimeouts::from(&state.settings);
    let accept = |(stream, peer)| {
        ready(Ok(Accepted {
            stream,
            peer,
            slot: None,
        }))
    };
    fn_service(accept).and_then(serve_connection(create_app(state), timeouts, pending))
}

/// Serves connections with `app` until they end or, between two requests, `shutdown` is ready.
pub(crate) fn serve_connection<S, A, F, B, E>(
    app: A,
    HttpTimeouts { keep_alive, head }: HttpTimeouts,
    shutdown: impl Fn() -> E + 'static,
) -> impl ServiceFactory<Accepted<S>, Config = (), Response = (), Error = DispatchError, InitError = ()>
where
    S: AsyncRead + AsyncWrite + Unpin + 'static,
    A: IntoServiceFactory<F, Request>,
    F: ServiceFactory<Request, Config = AppConfig> + 'static,
    F::Error: Into<actix_web::Error>,
    F::InitError: Debug,
    F::Response: Into<Response<B>>,
    B: MessageBody + 'static,
    E: Future<Output = ()> + 'static,
{
    let timeouts = ConnectionTimeouts {
        head_timeout: head,
        idle_timeout: keep_alive + head,
    };
    let app = app
        .into_factory()
        .map_err(|error| error.into().error_response());
    let http = HttpService::build()
        .graceful_shutdown_signal(shutdown)
        .keep_alive(keep_alive)
        .client_request_timeout(head)
        .client_disconnect_timeout(DISCONNECT_TIMEOUT)
        .h1_write_buffer_size(WRITE_BUFFER_BYTES)
        .on_connect_ext(|connection: &TimedConnection<S>, data| {
            data.insert(connection.requests());
            data.insert(Rc::<KeyMemo>::default());
        })
        .h1(map_config(app, |()| AppConfig::default()));
    let connect = move |Accepted { stream, peer, slot }| {
        ready(Ok((TimedConnection::new(stream, timeouts, slot), peer)))
    };
    fn_service(connect).and_then(http)
}
