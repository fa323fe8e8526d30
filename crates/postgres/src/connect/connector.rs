//! Connector of the pool.

use super::auth::{AuthMethods, Guarded};
use super::encryption::Encryption;
use super::failure::ConnectFailure;
use super::hosts::Hosts;
use super::socket::LocalStream;
use super::url::PostgresUrl;
use deadpool_postgres::Connect;
use std::path::PathBuf;
use std::pin::Pin;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::error::{DbError, SqlState};
use tokio_postgres::{Client, Config, Connection, Error, NoTls};

type Connected = Result<(Client, JoinHandle<()>), Error>;

/// Connects to the server of a URL, protected as the URL asks.
pub(super) enum Connector {
    /// By a socket of this machine.
    Local(PathBuf, AuthMethods),
    /// By TCP, to one of these hosts.
    Remote(Encryption, Hosts),
}

impl Connector {
    /// Reads what the URL names; an error says what is wrong.
    pub(super) fn new(url: &PostgresUrl) -> Result<Self, String> {
        match url.socket() {
            Some(path) => Ok(Self::Local(path, url.auth_methods().clone())),
            None => Ok(Self::Remote(Encryption::new(url)?, Hosts::of(&url.config()))),
        }
    }
}

impl Connect for Connector {
    fn connect(&self, config: &Config) -> Pin<Box<dyn Future<Output = Connected> + Send + '_>> {
        let config = config.clone();
        Box::pin(async move {
            match self {
                Self::Local(path, methods) => {
                    let stream = Guarded::new(LocalStream::open(path).await, methods.clone());
                    config.connect_raw(stream, NoTls).await.map(serve)
                }
                Self::Remote(encryption, hosts) => connect_to_one(hosts, encryption).await,
            }
        })
    }
}

/// Connects to the current host, or to the first after it that answers in time. Whoever gives up meanwhile has left the current one.
async fn connect_to_one(hosts: &Hosts, encryption: &Encryption) -> Connected {
    let mut tried = 0;
    for (index, config) in hosts.in_order() {
        tried += 1;
        let attempt = connect_remote(config, encryption);
        let is_last = tried == hosts.count();
        let limit = config.get_connect_timeout().copied().filter(|_| !is_last);
        if hosts.count() > 1 {
            hosts.leave(index);
        }
        let outcome = match limit {
            Some(limit) => timeout(limit, attempt).await,
            None => Ok(attempt.await),
        };
        match outcome {
            Ok(Ok(connected)) => {
                hosts.stay(index);
                return Ok(connected);
            }
            Ok(Err(error)) if is_last => return Err(error),
            Ok(Err(error)) => {
                tracing::debug!("a host of the database is passed over: {}", crate::error::describe(&error));
            }
            Err(_) => tracing::debug!("a host of the database does not answer in time"),
        }
    }
    // A URL without a host is refused before: the driver says so.
    Config::new().connect(encryption.clone()).await.map(serve)
}

/// With `prefer`, a server that does not admit an encrypted connection is tried without, as libpq does.
async fn connect_remote(config: &Config, encryption: &Encryption) -> Connected {
    let encrypted = config.connect(encryption.clone()).await;
    match (encrypted, encryption.fallback()) {
        (Err(error), Some(clear)) if is_about_encryption(&error) => config.connect(clear).await.map(serve),
        (other, _) => other.map(serve),
    }
}

/// Returns `true` if the same server may admit a connection in clear text. One whose channel binding fails is not the server.
fn is_about_encryption(error: &Error) -> bool {
    let is_not_admitted = |said: &DbError| {
        *said.code() == SqlState::INVALID_AUTHORIZATION_SPECIFICATION && !said.message().contains("channel binding")
    };
    matches!(ConnectFailure::source_of(error), Some(ConnectFailure::Handshake(_)))
        || error.as_db_error().is_some_and(is_not_admitted)
}

/// Starts the task that a connection is served by.
fn serve<S, T>((client, connection): (Client, Connection<S, T>)) -> (Client, JoinHandle<()>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let task = tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::warn!("a connection to the database has ended: {}", crate::error::describe(&error));
        }
    });
    (client, task)
}
