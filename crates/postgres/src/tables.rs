//! What operators do to the tables of a store, without opening it.

use crate::connect::{OpenError, PostgresUrl};
use crate::line::MaintenanceConnection;
use crate::schema::{Distribution, PendingMigration, check_server, migrate as carry_out, pending, spread};
use std::sync::Arc;
use voight_domain::ports::Clock;

/// Brings the tables at `url` to this release's version, or with `dry_run` only looks. Makes them where nothing is. Returns what
/// there was to do, in its order. Processes at work on the store go on meanwhile. Blocking.
pub fn migrate(url: &PostgresUrl, dry_run: bool, clock: Arc<dyn Clock>) -> Result<Vec<PendingMigration>, OpenError> {
    let line = MaintenanceConnection::connect(url, clock)?;
    let (lock, work) = (line.step()?, line.step()?);
    let done = line.runtime.block_on(async {
        if dry_run {
            return pending(&work, url).await;
        }
        check_server(&work, url).await?;
        carry_out(&lock, &work, url).await
    });
    lock.discard();
    done
}

/// Makes the tables of a store at `url` and spreads them over the machines of a cluster, by the functions of the extension Citus,
/// before there is anything in them. What was interrupted goes on where it ended. Returns each table that was spread, and
/// how. Blocking.
pub fn distribute(url: &PostgresUrl, clock: Arc<dyn Clock>) -> Result<Vec<(&'static str, Distribution)>, OpenError> {
    let line = MaintenanceConnection::connect(url, clock)?;
    let (lock, work) = (line.step()?, line.step()?);
    let done = line.runtime.block_on(async {
        check_server(&work, url).await?;
        pending(&work, url).await?;
        spread::refuse_worker(&work, url).await?;
        spread::refuse_unless_possible(&work, url).await?;
        carry_out(&lock, &work, url).await?;
        spread::distribute_tables(&work, url).await
    });
    lock.discard();
    done
}
