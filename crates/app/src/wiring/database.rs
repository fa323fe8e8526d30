//! Operations on a store in PostgreSQL. All of them block.

use super::failure::{postgres_open_failure, restore_failure};
use super::{ContentHash, StoreUrl};
use crate::exit::{CommandError, Exit};
use crate::os::SystemClock;
use serde::Serialize;
use std::env;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use voight_embedded::{
    DumpError, DumpReader, DumpSummary, DumpWriter, FORMAT, Identity, RestoreError,
};
pub(crate) use voight_postgres::ConcurrentWrites;
use voight_postgres::{
    Distribution, Moment, OpenError, PendingMigration, PostgresUrl, Schema, StagedRestore,
    StoreIdentity, StoreSnapshot, distribute, migrate, pending_migrations,
};

/// Environment variable of the password, which the tools of PostgreSQL also read.
const PASSWORD: &str = "PGPASSWORD";

/// Distributed table of a cluster.
#[derive(Debug, Serialize)]
pub(crate) struct DistributedTable {
    /// Name of the table.
    pub(crate) table: &'static str,
    /// Distribution over the machines.
    pub(crate) how: &'static str,
}

/// Applied or pending migration.
#[derive(Debug, Serialize)]
pub(crate) struct MigrationLine {
    /// Version of the tables after it.
    pub(crate) version: u64,
    /// BLAKE3 hash of the migration's text.
    pub(crate) checksum: String,
    /// Number of statements that were not executed before.
    pub(crate) statements: u64,
}

/// Returns `true` if a database contains a store, whatever its version.
pub(super) fn exists(url: &PostgresUrl) -> Result<bool, CommandError> {
    match StoreSnapshot::open(
        &with_password(url),
        Arc::new(SystemClock),
        ConcurrentWrites::Allowed,
    ) {
        Err(OpenError::Missing { .. }) => Ok(false),
        // Opening a store of an older version migrates its tables.
        Ok(_) | Err(OpenError::Older { .. }) => Ok(true),
        Err(rejection) => Err(postgres_open_failure(&rejection)),
    }
}

/// Creates the tables in the database of `store` and distributes them; returns the distributed tables. For a store in files, the
/// error gives `advice`.
pub(crate) fn distribute_tables(
    store: &StoreUrl,
    advice: &str,
) -> Result<Vec<DistributedTable>, CommandError> {
    let tables = distribute(&database(store, advice)?, Arc::new(SystemClock));
    let line = |(table, distribution)| DistributedTable {
        table,
        how: match distribution {
            Distribution::ByClient => "by client",
            Distribution::ByCheck => "by check",
            Distribution::Reference => "copied",
            Distribution::Local => "on the coordinator",
        },
    };
    Ok(tables
        .map_err(|error| postgres_open_failure(&error))?
        .into_iter()
        .map(line)
        .collect())
}

/// Applies the pending migrations, which create the tables in an empty database, and returns them. For a store in files, the error gives `advice`.
pub(crate) fn migrate_tables(
    store: &StoreUrl,
    advice: &str,
) -> Result<Vec<MigrationLine>, CommandError> {
    migration_lines(migrate(
        &database(store, advice)?,
        Arc::new(SystemClock),
        Schema::RELEASED,
    ))
}

/// Returns the pending migrations. For a store in files, the error gives `advice`.
pub(crate) fn list_pending_migrations(
    store: &StoreUrl,
    advice: &str,
) -> Result<Vec<MigrationLine>, CommandError> {
    migration_lines(pending_migrations(
        &database(store, advice)?,
        Arc::new(SystemClock),
        Schema::RELEASED,
    ))
}

fn migration_lines(
    migrations: Result<Vec<PendingMigration>, OpenError>,
) -> Result<Vec<MigrationLine>, CommandError> {
    let line = |PendingMigration {
                    version,
                    checksum,
                    done,
                    statements,
                }| MigrationLine {
        version,
        checksum: data_encoding::HEXLOWER.encode(&checksum),
        statements: statements - done,
    };
    Ok(migrations
        .map_err(|error| postgres_open_failure(&error))?
        .into_iter()
        .map(line)
        .collect())
}

/// Writes the dump of the store at `url`, read from one snapshot, and returns the name of its moment.
///
/// A distributed store has a single moment only if `writes` are blocked meanwhile.
pub(crate) fn dump_database(
    url: &PostgresUrl,
    writes: ConcurrentWrites,
    out: impl Write,
) -> Result<(ContentHash, &'static str), CommandError> {
    let snapshot = StoreSnapshot::open(&with_password(url), Arc::new(SystemClock), writes);
    let snapshot = snapshot.map_err(|error| postgres_open_failure(&error))?;
    let moment = match snapshot.moment() {
        Moment::Single => "single",
        Moment::Quiesced => "quiesced",
        Moment::Several => "several",
    };
    let StoreIdentity {
        id,
        created_at,
        pepper,
    } = *snapshot.identity();
    let mut writing = Writing::start(&Identity::new(id, created_at, pepper), out);
    snapshot
        .for_each(&mut |key, record| writing.add(key, &record))
        .map_err(|error| postgres_open_failure(&error))?;
    let summary = writing
        .finish()
        .map_err(|error| restore_failure(&error.into(), &url.to_string()))?;
    Ok((summary.into(), moment))
}

/// Builds a store at `url` from a dump, which messages name `source`.
///
/// Returns the content, which was read back from the database before the store was made visible and equals that of the dump.
pub(crate) fn restore_database(
    url: &PostgresUrl,
    input: impl Read,
    source: &str,
    progress: &mut dyn FnMut(u64),
) -> Result<ContentHash, CommandError> {
    let wrong = |error: DumpError| restore_failure(&error.into(), source);
    let open_failure = |error| postgres_open_failure(&error);
    let mut dump = DumpReader::open(input).map_err(wrong)?;
    let identity = *dump.identity();
    if identity.format() != FORMAT {
        return Err(CommandError::configuration(format!(
            "{source} has records of format {}, and a database requires format {FORMAT}: start a server on the store once, which migrates it, and stop the server",
            identity.format()
        )));
    }
    let store_identity = StoreIdentity {
        id: identity.ulid(),
        created_at: identity.created_at(),
        pepper: identity.pepper(),
    };
    let mut staged_restore =
        StagedRestore::begin(&with_password(url), &store_identity, Arc::new(SystemClock))
            .map_err(open_failure)?;
    while let Some(entry) = dump.next_entry().map_err(wrong)? {
        staged_restore
            .add(&entry.key, &entry.record)
            .map_err(open_failure)?;
        progress(1);
    }
    let summary = dump.summary().ok_or(DumpError::Truncated).map_err(wrong)?;
    let mut writing = Writing::start(&identity, io::sink());
    staged_restore
        .read_back(&mut |key, record| writing.add(key, &record))
        .map_err(open_failure)?;
    if writing.finish().map_err(wrong)? != summary {
        return Err(restore_failure(&RestoreError::ContentMismatch, source));
    }
    staged_restore.commit().map_err(open_failure)?;
    Ok(summary.into())
}

/// Returns the database of a store, with the password of the environment. For a store in files, the error gives `advice`.
fn database(url: &StoreUrl, advice: &str) -> Result<PostgresUrl, CommandError> {
    match url {
        StoreUrl::Postgres(url) => Ok(with_password(url)),
        other => Err(CommandError::new(
            Exit::Usage,
            format!("the store {other} is in no database: {advice}"),
        )),
    }
}

/// Dump writer that stops at its first error.
struct Writing<W>(Result<DumpWriter<W>, DumpError>);

impl<W: Write> Writing<W> {
    fn start(identity: &Identity, out: W) -> Self {
        Self(DumpWriter::start(identity, out))
    }

    fn add(&mut self, key: &[u8], record: &[u8]) -> ControlFlow<()> {
        let Ok(dump) = &mut self.0 else {
            return ControlFlow::Break(());
        };
        match dump.add(key, record) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.0 = Err(error);
                ControlFlow::Break(())
            }
        }
    }

    fn finish(self) -> Result<DumpSummary, DumpError> {
        self.0.and_then(DumpWriter::finish)
    }
}

/// Adds the password of the environment to a URL without one.
pub(super) fn with_password(url: &PostgresUrl) -> PostgresUrl {
    url.clone()
        .with_default_password(env::var(PASSWORD).ok().as_deref())
}
