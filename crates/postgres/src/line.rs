//! A line to a database for work that one thread waits for.

use crate::connect::{self, OpenError, PostgresUrl};
use crate::step::Transaction;
use deadpool_postgres::Pool;
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};
use voight_domain::ports::Clock;

/// Connections that such work takes at most.
const CONNECTIONS: usize = 2;

/// Connections to a database, and the thread at hand to wait for it on.
pub(crate) struct MaintenanceConnection {
    /// What the thread waits by.
    pub(crate) runtime: Runtime,
    /// Where it leads.
    pub(crate) url: PostgresUrl,
    pool: Pool,
    clock: Arc<dyn Clock>,
}

impl MaintenanceConnection {
    /// To the database of `url`; nothing is connected yet.
    pub(crate) fn connect(url: &PostgresUrl, clock: Arc<dyn Clock>) -> Result<Self, OpenError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| OpenError::unusable(url, error))?;
        Ok(Self { runtime, url: url.clone(), pool: connect::pool(url, CONNECTIONS)?, clock })
    }

    /// A connection.
    pub(crate) fn step(&self) -> Result<Transaction, OpenError> {
        let connection = self.runtime.block_on(self.pool.get());
        let connection = connection.map_err(|error| OpenError::of_pool(&self.url, &error))?;
        Ok(Transaction::new(connection, Arc::clone(&self.clock)))
    }
}
