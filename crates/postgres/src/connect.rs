//! Connections to the database.

mod connector;
mod hosts;
mod open_error;
mod roots;
mod ssl_mode;
mod tls;
mod url;

pub use open_error::OpenError;
pub(crate) use tls::TlsFailure;
pub use url::{PostgresUrl, PostgresUrlError};

use crate::error;
use crate::sql::session;
use connector::Connector;
use deadpool_postgres::{
    Hook, HookError, Manager, ManagerConfig, Pool, PoolError, QueueMode, RecyclingMethod,
    Runtime as PoolRuntime, TimeoutType,
};
use std::time::Duration;

/// Timeout for a new connection, and for a connection from the pool.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Creates a pool of at most `connections` connections to the database of `url`; does not connect yet.
pub(crate) fn pool(url: &PostgresUrl, connections: usize) -> Result<Pool, OpenError> {
    let recycling = ManagerConfig {
        recycling_method: RecyclingMethod::Fast,
    };
    let connector = Connector::new(url).map_err(|why| OpenError::unusable(url, why))?;
    let manager = Manager::from_connect(url.config(), connector, recycling);
    let set_session = Hook::async_fn(|connection, _| {
        Box::pin(async move {
            connection
                .batch_execute(session::SETTINGS)
                .await
                .map_err(HookError::Backend)
        })
    });
    // Most recently used first, because the caches of that backend process are warm.
    let pool = Pool::builder(manager)
        .max_size(connections)
        .queue_mode(QueueMode::Lifo)
        .wait_timeout(Some(CONNECT_TIMEOUT))
        .create_timeout(Some(CONNECT_TIMEOUT))
        .recycle_timeout(Some(CONNECT_TIMEOUT))
        .post_create(set_session)
        .runtime(PoolRuntime::Tokio1);
    pool.build()
        .map_err(|error| OpenError::unreachable(url, error))
}

/// Returns the reason for a missing connection on one line.
pub(crate) fn describe(error: &PoolError) -> String {
    match error {
        PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)) => {
            error::describe(error)
        }
        PoolError::Timeout(TimeoutType::Wait) => "all connections are in use".to_owned(),
        PoolError::Timeout(_) => format!("no connection in {} seconds", CONNECT_TIMEOUT.as_secs()),
        source => source.to_string(),
    }
}
