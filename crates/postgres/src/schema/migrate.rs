//! Bringing tables to this release's version, by one process at a time.

use super::check::in_open;
use super::spread::{distribute_tables, is_distributed, refuse_worker, unspread};
use super::{MIGRATIONS, VERSION, checksum, statements};
use crate::connect::{OpenError, PostgresUrl};
use crate::error::Error;
use crate::sql::{schema, session};
use crate::step::Transaction;
use crate::value::{RowExt, values};

/// A migration that has begun: how many of its statements have taken effect.
struct AppliedMigration {
    version: u64,
    checksum: [u8; 32],
    statements: u64,
}

/// A migration that is still to be carried out, or its rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingMigration {
    /// Its number.
    pub version: u64,
    /// What it is recognised by: the BLAKE3 of its text.
    pub checksum: [u8; 32],
    /// Statements that have taken effect already; more than none if it was interrupted.
    pub done: u64,
    /// Statements that it has.
    pub statements: u64,
}

/// Makes the tables where nothing is, or brings them to this release's version; what a distributed store gets is spread, too. `work` executes the statements, while `lock`
/// holds a row that others wait for. Returns what there was to do.
pub(crate) async fn migrate(
    lock: &Transaction,
    work: &Transaction,
    url: &PostgresUrl,
) -> Result<Vec<PendingMigration>, OpenError> {
    let is_done = pending(work, url).await?.is_empty();
    let in_open = |error| in_open(url, error);
    let is_distributed = is_distributed(work).await.map_err(in_open)?;
    if is_done && (!is_distributed || unspread(work).await.map_err(in_open)?.is_empty()) {
        return Ok(Vec::new());
    }
    refuse_worker(work, url).await?;
    create(work, schema::CREATE_LOCK).await.map_err(in_open)?;
    work.execute_sql(schema::FIRST_LOCK, Vec::new()).await.map_err(in_open)?;
    lock.batch_execute(session::BEGIN_PATIENTLY).await.map_err(in_open)?;
    lock.row(schema::LOCK, Vec::new()).await.map_err(in_open)?;
    create(work, schema::CREATE_VERSIONS).await.map_err(in_open)?;
    // Another process may have gone on while the lock was waited for.
    let pending = pending(work, url).await?;
    for migration in &pending {
        apply(work, migration).await.map_err(in_open)?;
    }
    if is_distributed {
        distribute_tables(work, url).await?;
    }
    lock.batch_execute(session::COMMIT).await.map_err(in_open)?;
    Ok(pending)
}

/// What is still to be done to the tables. Refused: those of something else, of a newer release, or made by other migrations.
pub(crate) async fn pending(step: &Transaction, url: &PostgresUrl) -> Result<Vec<PendingMigration>, OpenError> {
    let tables = tables(step).await.map_err(|error| in_open(url, error))?;
    let has = |name: &str| tables.iter().any(|table| table == name);
    if let Some(table) = tables.first().filter(|_| !has("schema_lock")) {
        return Err(OpenError::Foreign { place: url.to_string(), table: table.clone() });
    }
    let begun = if has("schema_version") { versions(step).await } else { Ok(Vec::new()) };
    let begun = begun.map_err(|error| in_open(url, error))?;
    check(&begun, url)?;
    let all = (1..).zip(MIGRATIONS).map(|(version, migration)| PendingMigration {
        version,
        checksum: checksum(migration),
        done: begun.iter().find(|begun| begun.version == version).map_or(0, |begun| begun.statements),
        statements: statements(migration).count() as u64,
    });
    Ok(all.filter(|pending| pending.done < pending.statements).collect())
}

/// Refuses tables that are not all there yet.
pub(crate) async fn refuse_unless_current(step: &Transaction, url: &PostgresUrl) -> Result<(), OpenError> {
    let place = || url.to_string();
    match pending(step, url).await?.first() {
        None => Ok(()),
        Some(first) if first.version == 1 => Err(OpenError::Missing { place: place() }),
        Some(_) => Err(OpenError::Older { place: place() }),
    }
}

async fn tables(step: &Transaction) -> Result<Vec<String>, Error> {
    step.rows(schema::TABLES, Vec::new()).await?.iter().map(|row| row.column(0)).collect()
}

/// Creates a table unless it is there. Two processes that do so at once are in each other's way, which is no reason to fail:
/// the other one's table is not there yet when `IF NOT EXISTS` looks, and is when its name is taken.
async fn create(step: &Transaction, sql: &str) -> Result<(), Error> {
    match step.batch_execute(sql).await {
        Err(error) if error.is_duplicate_object() || error.is_unique_violation() => step.batch_execute(sql).await,
        outcome => outcome,
    }
}

async fn versions(step: &Transaction) -> Result<Vec<AppliedMigration>, Error> {
    let rows = step.rows(schema::VERSIONS, Vec::new()).await?;
    let begun = rows.iter().map(|row| {
        Ok(AppliedMigration { version: row.number(0)?, checksum: row.byte_array(1)?, statements: row.number(2)? })
    });
    begun.collect()
}

fn check(begun: &[AppliedMigration], url: &PostgresUrl) -> Result<(), OpenError> {
    if let Some(newer) = begun.iter().map(|begun| begun.version).find(|version| *version > VERSION.into()) {
        return Err(OpenError::Newer { place: url.to_string(), found: newer, known: VERSION });
    }
    let other = begun.iter().zip(MIGRATIONS).find(|(begun, known)| begun.checksum != checksum(known));
    other.map_or(Ok(()), |(begun, _)| {
        Err(OpenError::MigrationMismatch { place: url.to_string(), version: begun.version })
    })
}

/// Executes what is left of a migration. A process that ends between a statement and its count leaves a statement that is
/// executed again; it finds its table or index there, which says that it was.
async fn apply(step: &Transaction, pending: &PendingMigration) -> Result<(), Error> {
    let PendingMigration { version, checksum, done, .. } = *pending;
    let known = usize::try_from(version - 1).ok().and_then(|index| MIGRATIONS.get(index));
    let Some(migration) = known else { return Ok(()) };
    step.execute_sql(schema::BEGIN_VERSION, values![version, &checksum[..]]).await?;
    for (number, statement) in (1_u64..).zip(statements(migration)).skip_while(|(number, _)| *number <= done) {
        match step.batch_execute(statement).await {
            Err(error) if error.is_duplicate_object() => {}
            outcome => outcome?,
        }
        step.execute_sql(schema::COUNT_STATEMENT, values![version, number]).await?;
    }
    Ok(())
}
