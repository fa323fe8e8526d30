//! Connector that the pool opens connections with.

use super::hosts::Hosts;
use super::tls;
use super::url::PostgresUrl;
use deadpool_postgres::Connect;
use std::pin::Pin;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::{Client, Config, Connection, Error};
use tokio_postgres_rustls::MakeRustlsConnect;

type Connected = Result<(Client, JoinHandle<()>), Error>;

/// Connects to the servers of a URL with the encryption that it requires.
pub(super) struct Connector {
    tls: MakeRustlsConnect,
    hosts: Hosts,
}

impl Connector {
    /// Creates the connector of a URL. The error says why its certificates cannot be loaded.
    pub(super) fn new(url: &PostgresUrl) -> Result<Self, String> {
        Ok(Self {
            tls: tls::connector(url.ssl_mode())?,
            hosts: Hosts::from_config(&url.config()),
        })
    }
}

impl Connect for Connector {
    fn connect(&self, _: &Config) -> Pin<Box<dyn Future<Output = Connected> + Send + '_>> {
        Box::pin(connect_to_one(&self.hosts, &self.tls))
    }
}

/// Connects to the current host, or to the next one that answers in time.
///
/// The current host is left before the attempt, so that a caller that cancels it does not return to a hanging host.
async fn connect_to_one(hosts: &Hosts, tls: &MakeRustlsConnect) -> Connected {
    let mut attempts = 0;
    for (index, config) in hosts.in_order() {
        attempts += 1;
        let attempt = config.connect(tls.clone());
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
                return Ok(serve(connection));
            }
            Ok(Err(error)) if is_last => return Err(error),
            Ok(Err(error)) => {
                tracing::debug!(
                    event = "database_host_skipped",
                    error = %crate::error::describe(&error),
                    "skipped a host of the database"
                );
            }
            Err(_) => tracing::debug!(
                event = "database_host_timed_out",
                "a host of the database does not answer in time"
            ),
        }
    }
    // The URL parser rejects a URL without a host; here the driver returns its error.
    Config::new().connect(tls.clone()).await.map(serve)
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
                event = "database_connection_lost",
                error = %crate::error::describe(&error),
                "a connection to the database has ended"
            );
        }
    });
    (client, task)
}
