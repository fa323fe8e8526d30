//! Operations on the tables of a store that do not open it.

use crate::blocking_connection::BlockingConnection;
use crate::connect::{OpenError, PostgresUrl};
use crate::schema::{
    PendingMigration, Schema, check_server, distribution, migrate as carry_out, pending,
};
use crate::sql::tables::Distribution;
use std::sync::Arc;
use voight_domain::ports::Clock;

/// Returns the migrations that [`migrate`] would run, in order. Changes nothing. Blocks the current thread.
pub fn pending_migrations(
    url: &PostgresUrl,
    clock: Arc<dyn Clock>,
    schema: Schema,
) -> Result<Vec<PendingMigration>, OpenError> {
    let connection = BlockingConnection::connect(url, clock)?;
    let transaction = connection.transaction()?;
    connection
        .runtime
        .block_on(pending(&transaction, url, schema))
}

/// Migrates the tables at `url` to `schema`, which is [`Schema::RELEASED`] except in tests; creates them in an empty schema.
///
/// Returns the completed migrations in order. Servers may use the store meanwhile. Blocks the current thread.
pub fn migrate(
    url: &PostgresUrl,
    clock: Arc<dyn Clock>,
    schema: Schema,
) -> Result<Vec<PendingMigration>, OpenError> {
    let connection = BlockingConnection::connect(url, clock)?;
    let lock = connection.transaction()?;
    let work = connection.transaction()?;
    let migrations = connection.runtime.block_on(async {
        check_server(&work, url).await?;
        carry_out(&lock, &work, url, schema).await
    });
    lock.discard();
    migrations
}

/// Creates the tables of a store at `url` and distributes them over a Citus cluster.
///
/// The database must not contain a store yet. Continues an earlier call that was interrupted. Returns each table with
/// its distribution. Blocks the current thread.
pub fn distribute(
    url: &PostgresUrl,
    clock: Arc<dyn Clock>,
) -> Result<Vec<(&'static str, Distribution)>, OpenError> {
    let connection = BlockingConnection::connect(url, clock)?;
    let lock = connection.transaction()?;
    let work = connection.transaction()?;
    let tables = connection.runtime.block_on(async {
        check_server(&work, url).await?;
        pending(&work, url, Schema::RELEASED).await?;
        distribution::ensure_coordinator(&work, url).await?;
        distribution::ensure_supported(&work, url).await?;
        carry_out(&lock, &work, url, Schema::RELEASED).await?;
        distribution::distribute_tables(&work, url, Schema::RELEASED).await?;
        Ok(Schema::RELEASED.tables().to_vec())
    });
    lock.discard();
    tables
}
