//! Migrations, applied by one process at a time.

use super::check::in_open;
use super::distribution::{distribute_tables, ensure_coordinator, is_distributed, unspread};
use super::{Schema, checksum, statements};
use crate::connect::{OpenError, PostgresUrl};
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::{schema as sql, session};
use crate::value::{RowExt, values};

/// Migration that was begun, with the number of statements that have taken effect.
struct AppliedMigration {
    version: u64,
    checksum: [u8; 32],
    statements: u64,
}

/// Migration that is still to be applied, completely or in part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingMigration {
    /// Number of the migration.
    pub version: u64,
    /// BLAKE3 checksum of its text.
    pub checksum: [u8; 32],
    /// Number of statements that have taken effect; above zero if the migration was interrupted.
    pub done: u64,
    /// Number of statements in the migration.
    pub statements: u64,
}

/// Creates the tables in an empty schema, or migrates them to the version of the release.
///
/// On a distributed store new tables are distributed, too. `work` executes the statements while `lock` holds the row
/// that other processes wait for. Returns the migrations that were applied.
pub(crate) async fn migrate(
    lock: &Transaction,
    work: &Transaction,
    url: &PostgresUrl,
    schema: Schema,
) -> Result<Vec<PendingMigration>, OpenError> {
    let is_done = pending(work, url, schema).await?.is_empty();
    let in_open = |error| in_open(url, error);
    let is_distributed = is_distributed(work).await.map_err(in_open)?;
    if is_done && (!is_distributed || unspread(work, schema).await.map_err(in_open)?.is_empty()) {
        return Ok(Vec::new());
    }
    ensure_coordinator(work, url).await?;
    create(work, sql::CREATE_LOCK).await.map_err(in_open)?;
    work.execute_sql(sql::FIRST_LOCK, Vec::new())
        .await
        .map_err(in_open)?;
    lock.batch_execute(session::BEGIN_PATIENTLY)
        .await
        .map_err(in_open)?;
    lock.row(sql::LOCK, Vec::new()).await.map_err(in_open)?;
    create(work, sql::CREATE_VERSIONS).await.map_err(in_open)?;
    // Another process may have applied migrations while this one waited for the lock.
    let pending = pending(work, url, schema).await?;
    for migration in &pending {
        apply(work, migration, schema).await.map_err(in_open)?;
    }
    if is_distributed {
        distribute_tables(work, url, schema).await?;
    }
    lock.batch_execute(session::COMMIT).await.map_err(in_open)?;
    Ok(pending)
}

/// Returns the migrations that are still to be applied.
///
/// # Errors
///
/// Tables of another program, of a newer release, or from different migrations.
pub(crate) async fn pending(
    transaction: &Transaction,
    url: &PostgresUrl,
    schema: Schema,
) -> Result<Vec<PendingMigration>, OpenError> {
    let tables = tables(transaction)
        .await
        .map_err(|error| in_open(url, error))?;
    let has = |name: &str| tables.iter().any(|table| table == name);
    if let Some(table) = tables.first().filter(|_| !has("schema_lock")) {
        return Err(OpenError::Foreign {
            place: url.to_string(),
            table: table.clone(),
        });
    }
    let applied_migrations = if has("schema_version") {
        versions(transaction).await
    } else {
        Ok(Vec::new())
    };
    let applied_migrations = applied_migrations.map_err(|error| in_open(url, error))?;
    check(&applied_migrations, url, schema)?;
    let migrations = (1..)
        .zip(schema.migrations())
        .map(|(version, migration)| PendingMigration {
            version,
            checksum: checksum(migration),
            done: applied_migrations
                .iter()
                .find(|applied_migrations| applied_migrations.version == version)
                .map_or(0, |applied_migrations| applied_migrations.statements),
            statements: statements(migration).count() as u64,
        });
    Ok(migrations
        .filter(|migration| migration.done < migration.statements)
        .collect())
}

/// Rejects tables that are missing or of an older version.
pub(crate) async fn ensure_current(
    transaction: &Transaction,
    url: &PostgresUrl,
) -> Result<(), OpenError> {
    ensure_none_pending(&pending(transaction, url, Schema::RELEASED).await?, url)
}

fn ensure_none_pending(pending: &[PendingMigration], url: &PostgresUrl) -> Result<(), OpenError> {
    match pending.first() {
        None => Ok(()),
        Some(first) if first.version == 1 => Err(OpenError::Missing {
            place: url.to_string(),
        }),
        Some(_) => Err(OpenError::Older {
            place: url.to_string(),
        }),
    }
}

async fn tables(transaction: &Transaction) -> Result<Vec<String>, Error> {
    transaction
        .rows(sql::TABLES, Vec::new())
        .await?
        .iter()
        .map(|row| row.column(0))
        .collect()
}

/// Creates a table unless it exists.
///
/// Two processes that do so at once may conflict: the table of the other one is not visible yet when `IF NOT EXISTS`
/// checks, but its name is taken. The statement is then repeated.
async fn create(transaction: &Transaction, sql: &str) -> Result<(), Error> {
    match transaction.batch_execute(sql).await {
        Err(error) if error.is_duplicate_object() || error.is_unique_violation() => {
            transaction.batch_execute(sql).await
        }
        outcome => outcome,
    }
}

async fn versions(transaction: &Transaction) -> Result<Vec<AppliedMigration>, Error> {
    let rows = transaction.rows(sql::VERSIONS, Vec::new()).await?;
    let migrations = rows.iter().map(|row| {
        Ok(AppliedMigration {
            version: row.number(0)?,
            checksum: row.byte_array(1)?,
            statements: row.number(2)?,
        })
    });
    migrations.collect()
}

fn check(
    applied_migrations: &[AppliedMigration],
    url: &PostgresUrl,
    schema: Schema,
) -> Result<(), OpenError> {
    let newest_version = schema.version();
    if let Some(newer) = applied_migrations
        .iter()
        .map(|applied_migrations| applied_migrations.version)
        .find(|version| *version > newest_version.into())
    {
        return Err(OpenError::Newer {
            place: url.to_string(),
            found: newer,
            known: newest_version,
        });
    }
    let mismatch = applied_migrations.iter().zip(schema.migrations()).find(
        |(applied_migrations, newest_version)| {
            applied_migrations.checksum != checksum(newest_version)
        },
    );
    mismatch.map_or(Ok(()), |(applied_migrations, _)| {
        Err(OpenError::MigrationMismatch {
            place: url.to_string(),
            version: applied_migrations.version,
        })
    })
}

/// Executes the remaining statements of a migration.
///
/// A process may end between a statement and its count. The statement is then executed again, and the error that its
/// object exists already shows that it has taken effect.
async fn apply(
    transaction: &Transaction,
    pending: &PendingMigration,
    schema: Schema,
) -> Result<(), Error> {
    let PendingMigration {
        version,
        checksum,
        done,
        ..
    } = *pending;
    let migration = usize::try_from(version - 1)
        .ok()
        .and_then(|index| schema.migrations().get(index));
    let Some(migration) = migration else {
        return Ok(());
    };
    transaction
        .execute_sql(sql::BEGIN_VERSION, values![version, &checksum[..]])
        .await?;
    for (number, statement) in (1_u64..)
        .zip(statements(migration))
        .skip_while(|(number, _)| *number <= done)
    {
        match transaction.batch_execute(statement).await {
            Err(error) if error.is_duplicate_object() => {}
            outcome => outcome?,
        }
        transaction
            .execute_sql(sql::COUNT_STATEMENT, values![version, number])
            .await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_tables_differ_from_missing_ones() {
        let url: PostgresUrl = "postgres://voight@db/voight".parse().unwrap();
        let pending = |version| PendingMigration {
            version,
            checksum: [0; 32],
            done: 0,
            statements: 1,
        };
        assert_eq!(ensure_none_pending(&[], &url), Ok(()));
        assert!(matches!(
            ensure_none_pending(&[pending(1), pending(2)], &url),
            Err(OpenError::Missing { .. })
        ));
        assert!(matches!(
            ensure_none_pending(&[pending(2)], &url),
            Err(OpenError::Older { .. })
        ));
    }
}
