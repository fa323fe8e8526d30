//! Blocking database handle for command-line maintenance.

use crate::connect::{self, OpenError, PostgresUrl};
use crate::connection::Transaction;
use deadpool_postgres::Pool;
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};
use voight_domain::ports::Clock;

/// Maximum number of connections of a maintenance command.
const CONNECTIONS: usize = 2;

/// Connection pool with a runtime that blocks the current thread.
pub(crate) struct BlockingConnection {
    /// Single-threaded runtime that the calls run on.
    pub(crate) runtime: Runtime,
    /// URL of the database.
    pub(crate) url: PostgresUrl,
    pool: Pool,
    clock: Arc<dyn Clock>,
}

impl BlockingConnection {
    /// Creates a handle for the database of `url` without connecting to it.
    pub(crate) fn connect(url: &PostgresUrl, clock: Arc<dyn Clock>) -> Result<Self, OpenError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| OpenError::unusable(url, error))?;
        Ok(Self {
            runtime,
            url: url.clone(),
            pool: connect::pool(url, CONNECTIONS)?,
            clock,
        })
    }

    /// Takes a connection from the pool.
    pub(crate) fn transaction(&self) -> Result<Transaction, OpenError> {
        let connection = self.runtime.block_on(self.pool.get());
        let connection = connection.map_err(|error| OpenError::of_pool(&self.url, &error))?;
        Ok(Transaction::new(connection, Arc::clone(&self.clock)))
    }
}
