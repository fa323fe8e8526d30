//! Bringing tables to this release's version, by one process at a time.

use super::check::in_open;
use super::{MIGRATIONS, VERSION, checksum, statements};
use crate::connect::{OpenError, PostgresUrl};
use crate::error::Error;
use crate::sql::{schema, session};
use crate::step::Step;
use crate::value::{Columns, values};

/// A migration that has begun: how many of its statements have taken effect.
struct Begun {
    version: u64,
    checksum: [u8; 32],
    statements: u64,
}

/// Makes the tables where nothing is, or brings them to this release's version. `work` executes the statements, while `lock`
/// holds a row that others wait for.
pub(crate) async fn migrate(lock: &Step, work: &Step, url: &PostgresUrl) -> Result<(), OpenError> {
    refuse_others(work, url).await?;
    let in_open = |error| in_open(url, error);
    create(work, schema::CREATE_LOCK).await.map_err(in_open)?;
    work.run(schema::FIRST_LOCK, Vec::new()).await.map_err(in_open)?;
    lock.say(session::BEGIN_PATIENTLY).await.map_err(in_open)?;
    lock.row(schema::LOCK, Vec::new()).await.map_err(in_open)?;
    create(work, schema::CREATE_VERSIONS).await.map_err(in_open)?;
    let begun = versions(work).await.map_err(in_open)?;
    check(&begun, url)?;
    for (version, migration) in (1..).zip(MIGRATIONS) {
        let done = begun.iter().find(|begun| begun.version == version).map_or(0, |begun| begun.statements);
        carry_out(work, version, migration, done).await.map_err(in_open)?;
    }
    lock.say(session::COMMIT).await.map_err(in_open)
}

/// Refuses a schema in which there are tables, but none of those by which we know our own.
async fn refuse_others(step: &Step, url: &PostgresUrl) -> Result<(), OpenError> {
    let rows = step.rows(schema::TABLES, Vec::new()).await.map_err(|error| in_open(url, error))?;
    let tables: Result<Vec<String>, Error> = rows.iter().map(|row| row.column(0)).collect();
    let tables = tables.map_err(|error| in_open(url, error))?;
    match tables.first() {
        Some(table) if !tables.iter().any(|table| table == "schema_lock") => {
            Err(OpenError::Foreign { place: url.to_string(), table: table.clone() })
        }
        _ => Ok(()),
    }
}

/// Creates a table unless it is there. Two processes that do so at once are in each other's way, which is no reason to fail.
async fn create(step: &Step, sql: &str) -> Result<(), Error> {
    match step.say(sql).await {
        Err(Error::Database(error)) if error.as_db_error().is_some_and(|said| said.code().code() == "23505") => {
            step.say(sql).await
        }
        outcome => outcome,
    }
}

async fn versions(step: &Step) -> Result<Vec<Begun>, Error> {
    let rows = step.rows(schema::VERSIONS, Vec::new()).await?;
    let begun = rows
        .iter()
        .map(|row| Ok(Begun { version: row.number(0)?, checksum: row.fixed(1)?, statements: row.number(2)? }));
    begun.collect()
}

fn check(begun: &[Begun], url: &PostgresUrl) -> Result<(), OpenError> {
    if let Some(newer) = begun.iter().map(|begun| begun.version).find(|version| *version > VERSION.into()) {
        return Err(OpenError::Newer { place: url.to_string(), found: newer, known: VERSION });
    }
    let other = begun.iter().zip(MIGRATIONS).find(|(begun, known)| begun.checksum != checksum(known));
    other.map_or(Ok(()), |(begun, _)| Err(OpenError::OtherMigration { place: url.to_string(), version: begun.version }))
}

/// Executes what is left of a migration. A process that ends between a statement and its count leaves a statement that is
/// executed again; it finds its table or index there, which says that it was.
async fn carry_out(step: &Step, version: u64, migration: &str, done: u64) -> Result<(), Error> {
    step.run(schema::BEGIN_VERSION, values![version, &checksum(migration)[..]]).await?;
    for (number, statement) in (1_u64..).zip(statements(migration)).skip_while(|(number, _)| *number <= done) {
        match step.say(statement).await {
            Err(Error::Database(error)) if is_there(&error) => {}
            outcome => outcome?,
        }
        step.run(schema::COUNT_STATEMENT, values![version, number]).await?;
    }
    Ok(())
}

fn is_there(error: &tokio_postgres::Error) -> bool {
    use tokio_postgres::error::SqlState;
    let codes = [SqlState::DUPLICATE_TABLE, SqlState::DUPLICATE_OBJECT, SqlState::DUPLICATE_COLUMN];
    error.code().is_some_and(|code| codes.contains(code))
}
