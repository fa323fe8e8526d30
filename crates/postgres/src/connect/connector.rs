//! Connector of the pool.

use super::auth::{AuthMethods, Guarded};
use super::encryption::Encryption;
use super::failure::ConnectFailure;
use super::socket::LocalStream;
use super::url::PostgresUrl;
use deadpool_postgres::Connect;
use std::path::PathBuf;
use std::pin::Pin;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;
use tokio_postgres::error::{DbError, SqlState};
use tokio_postgres::{Client, Config, Connection, Error, NoTls};

type Connected = Result<(Client, JoinHandle<()>), Error>;

/// Connects to the server of a URL, protected as the URL asks.
pub(super) enum Connector {
    /// By a socket of this machine.
    Local(PathBuf, AuthMethods),
    /// By TCP.
    Remote(Encryption),
}

impl Connector {
    /// Reads what the URL names; an error says what is wrong.
    pub(super) fn new(url: &PostgresUrl) -> Result<Self, String> {
        match url.socket() {
            Some(path) => Ok(Self::Local(path, url.auth_methods().clone())),
            None => Encryption::new(url).map(Self::Remote),
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
                Self::Remote(encryption) => connect_remote(&config, encryption).await,
            }
        })
    }
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
