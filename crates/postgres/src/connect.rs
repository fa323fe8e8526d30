//! Connections to the database.

mod auth;
mod connector;
mod encryption;
mod failure;
mod hosts;
mod refusal;
mod roots;
mod socket;
mod ssl_mode;
mod url;
mod verifier;

pub(crate) use failure::ConnectFailure;
pub use refusal::OpenError;
pub use url::{PostgresUrl, PostgresUrlError};

use crate::error;
use crate::sql::session;
use connector::Connector;
use deadpool_postgres::{
    Hook, HookError, Manager, ManagerConfig, Pool, PoolError, QueueMode, RecyclingMethod, Runtime as PoolRuntime,
    TimeoutType,
};
use std::time::Duration;

/// How long a new connection, and a connection of the pool, is waited for.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// A pool of at most `connections` connections to the database of `url`; nothing is connected yet.
pub(crate) fn pool(url: &PostgresUrl, connections: usize) -> Result<Pool, OpenError> {
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let connector = Connector::new(url).map_err(|why| OpenError::unusable(url, why))?;
    let manager = Manager::from_connect(url.config(), connector, recycling);
    let settle = Hook::async_fn(|connection, _| {
        Box::pin(async move { connection.batch_execute(session::SETTINGS).await.map_err(HookError::Backend) })
    });
    // The connection that was used last comes first: the server's process behind it has what it needs at hand.
    let pool = Pool::builder(manager)
        .max_size(connections)
        .queue_mode(QueueMode::Lifo)
        .wait_timeout(Some(CONNECT_TIMEOUT))
        .create_timeout(Some(CONNECT_TIMEOUT))
        .recycle_timeout(Some(CONNECT_TIMEOUT))
        .post_create(settle)
        .runtime(PoolRuntime::Tokio1);
    pool.build().map_err(|error| OpenError::unreachable(url, error))
}

/// Why there is no connection, on one line.
pub(crate) fn describe(error: &PoolError) -> String {
    match error {
        PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)) => error::describe(error),
        PoolError::Timeout(TimeoutType::Wait) => "all connections are in use".to_owned(),
        PoolError::Timeout(_) => format!("no connection in {} seconds", CONNECT_TIMEOUT.as_secs()),
        other => other.to_string(),
    }
}
