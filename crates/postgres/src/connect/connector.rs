//! Connector that the pool opens connections with.

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

/// Connects to the servers of a URL with the encryption and authentication that it requires.
pub(super) enum Connector {
    /// Unix domain socket.
    Local(PathBuf, AuthMethods),
    /// TCP to one of these hosts.
    Remote(Encryption, Hosts),
}

impl Connector {
    /// Creates the connector of a URL. The error says why its certificates cannot be loaded.
    pub(super) fn new(url: &PostgresUrl) -> Result<Self, String> {
        match url.socket() {
            Some(path) => Ok(Self::Local(path, url.auth_methods().clone())),
            None => Ok(Self::Remote(
                Encryption::new(url)?,
                Hosts::from_config(&url.config()),
            )),
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

/// Connects to the current host, or to the next one that answers in time.
///
/// The current host is left before the attempt, so that a caller that cancels it does not return to a hanging host.
async fn connect_to_one(hosts: &Hosts, encryption: &Encryption) -> Connected {
    let mut attempts = 0;
    for (index, config) in hosts.in_order() {
        attempts += 1;
        let attempt = connect_remote(config, encryption);
        let is_last = attempts == hosts.count();
        let limit = config.get_connect_timeout().copied().filter(|_| !is_last);
        if hosts.count() > 1 {
            hosts.leave(index);
        }
        let outcome = match limit {
            Some(limit) => timeout(limit, attempt).await,
            None => Ok(attempt.await),
        };
        match outcome {
            Ok(Ok(connection)) => {
                hosts.stay(index);
                return Ok(connection);
            }
            Ok(Err(error)) if is_last => return Err(error),
            Ok(Err(error)) => {
                tracing::debug!(
                    "skipped a host of the database: {}",
                    crate::error::describe(&error)
                );
            }
            Err(_) => tracing::debug!("a host of the database does not answer in time"),
        }
    }
    // The URL parser rejects a URL without a host; here the driver returns its error.
    Config::new().connect(encryption.clone()).await.map(serve)
}

/// Connects to one host. With `prefer`, a rejected encrypted connection is retried in clear text, as in libpq.
async fn connect_remote(config: &Config, encryption: &Encryption) -> Connected {
    let encrypted_connection = config.connect(encryption.clone()).await;
    match (encrypted_connection, encryption.fallback()) {
        (Err(error), Some(clear)) if is_about_encryption(&error) => {
            config.connect(clear).await.map(serve)
        }
        (connection, _) => connection.map(serve),
    }
}

/// Returns `true` if the server may accept a connection in clear text after this error.
///
/// False after a failed channel binding, because the peer is then not the database.
fn is_about_encryption(error: &Error) -> bool {
    let is_not_admitted = |cause: &DbError| {
        *cause.code() == SqlState::INVALID_AUTHORIZATION_SPECIFICATION
            && !cause.message().contains("channel binding")
    };
    matches!(
        ConnectFailure::source_of(error),
        Some(ConnectFailure::Handshake(_))
    ) || error.as_db_error().is_some_and(is_not_admitted)
}

/// Spawns the task that drives a connection.
fn serve<S, T>((client, connection): (Client, Connection<S, T>)) -> (Client, JoinHandle<()>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let task = tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::warn!(
                "a connection to the database has ended: {}",
                crate::error::describe(&error)
            );
        }
    });
    (client, task)
}
