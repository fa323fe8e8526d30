//! Operations on the files of a store that no server uses. All of them block.

use super::services::open_failure;
use super::{BackupSummary, ContentHash, StoreIdentity, StoreUrl};
use crate::exit::{CommandError, Exit};
use serde::Serialize;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use voight_api::admin::TableLine;
use voight_domain::Timestamp;
use voight_domain::ports::{DiskUse, ScrubPass};
use voight_embedded::{
    DiskMonitor, DumpReader, OfflineStore, OpenError, PersistentEngine, RestoreError, ScrubStateFile, StorePaths,
    TableReport, count_rows, disk_bytes, dump_store, last_modified,
};
use voight_redb::WalRedb;

/// Calls a generic function with the engine and the path of the store at a URL.
macro_rules! with_engine {
    ($url:expr, $function:ident($($argument:expr),*)) => {
        match $url {
            StoreUrl::Redb(path) => $function::<WalRedb>(path, $($argument),*),
            #[cfg(feature = "sled")]
            StoreUrl::Sled(path) => $function::<voight_sled::SledEngine>(path, $($argument),*),
            StoreUrl::Postgres(_) | StoreUrl::Memory => Err(no_files($url)),
        }
    };
}

/// Description of a store in files.
#[derive(Debug)]
pub(crate) struct StoreDescription {
    /// Name of the engine.
    pub(crate) engine: String,
    /// Identity of the store.
    pub(crate) identity: StoreIdentity,
    /// Tables with records.
    pub(crate) tables: Vec<TableLine>,
    /// Size of the files, and free space.
    pub(crate) disk: DiskUse,
    /// Last modification of the files, if it can be read.
    pub(crate) files_written_at: Option<Timestamp>,
    /// Last complete pass of the scrubber.
    pub(crate) last_scrub: Option<ScrubPass>,
}

/// Result of verifying all records of a store.
#[derive(Debug)]
pub(crate) struct Verification {
    /// Identity of the store; `None` if it cannot be read.
    pub(crate) identity: Option<StoreIdentity>,
    /// Tables with records.
    pub(crate) tables: Vec<TableLine>,
    /// Number of corrupt records.
    pub(crate) damaged: u64,
    /// Corrupt records, at most 1000.
    pub(crate) damage: Vec<DamageLine>,
}

/// Corrupt record.
#[derive(Debug, Serialize)]
pub(crate) struct DamageLine {
    /// Name of the table.
    pub(crate) table: &'static str,
    /// Digest of the record key.
    pub(crate) key_digest: String,
    /// Description of the damage.
    pub(crate) what: String,
}

/// Returns the identity of a store, which requires no pepper.
pub(crate) fn identity(url: &StoreUrl) -> Result<StoreIdentity, CommandError> {
    fn run<E: PersistentEngine>(path: &Path) -> Result<StoreIdentity, CommandError> {
        opened(OfflineStore::<E>::open_read_only(path).and_then(|store| store.identity(path))).map(Into::into)
    }
    with_engine!(url, run())
}

/// Returns the description of a store.
pub(crate) fn describe(url: &StoreUrl) -> Result<StoreDescription, CommandError> {
    fn run<E: PersistentEngine>(path: &Path, url: &StoreUrl) -> Result<StoreDescription, CommandError> {
        let failed = |error: &dyn std::fmt::Display| CommandError::internal(format!("{url}: {error}"));
        // Read before the store is opened, because opening it may write.
        let files_written_at = last_modified(&StorePaths::for_store(path).main).ok();
        let store = opened(OfflineStore::<E>::open_read_only(path))?;
        let identity = opened(store.identity(path))?;
        let mut tables = Vec::new();
        for engine in std::iter::once(&store.main).chain(&store.evidence) {
            let rows = engine.snapshot().and_then(|view| count_rows(&view));
            tables.extend(rows.map_err(|error| failed(&error))?.into_iter().map(table_line));
        }
        Ok(StoreDescription {
            engine: store.main.name().to_owned(),
            tables,
            disk: DiskMonitor::new(path, 0).disk_use().map_err(|error| failed(&error))?,
            files_written_at,
            last_scrub: ScrubStateFile::for_store(path).read(&identity),
            identity: identity.into(),
        })
    }
    with_engine!(url, run(url))
}

/// Verifies all records. `progress` receives the number of records since its last call.
pub(crate) fn verify(url: &StoreUrl, progress: &mut dyn FnMut(u64)) -> Result<Verification, CommandError> {
    fn run<E: PersistentEngine>(path: &Path, progress: &mut dyn FnMut(u64)) -> Result<Verification, CommandError> {
        // A database that panics on a corrupt page is reported as damage; the panic message would only distract.
        let default_hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let verified = voight_embedded::verify::<E>(path, progress);
        std::panic::set_hook(default_hook);
        let (identity, report) = opened(verified)?;
        let line = |damage: voight_embedded::Damage| DamageLine {
            table: damage.table,
            key_digest: damage.key_digest,
            what: damage.what,
        };
        Ok(Verification {
            identity: identity.map(Into::into),
            tables: report.tables.into_iter().map(table_line).collect(),
            damaged: report.damaged,
            damage: report.damage.into_iter().map(line).collect(),
        })
    }
    with_engine!(url, run(progress))
}

/// Rewrites the files of a store without free space. Returns their size before and after, in bytes.
pub(crate) fn compact(url: &StoreUrl, progress: &mut dyn FnMut(u64)) -> Result<(u64, u64), CommandError> {
    fn run<E: PersistentEngine>(path: &Path, progress: &mut dyn FnMut(u64)) -> Result<(u64, u64), CommandError> {
        let paths = StorePaths::for_store(path);
        let bytes = || disk_bytes(&paths.main) + disk_bytes(&paths.evidence);
        let before = bytes();
        opened(voight_embedded::compact::<E>(path, progress))?;
        Ok((before, bytes()))
    }
    with_engine!(url, run(progress))
}

/// Writes a dump of a store to `out`.
pub(crate) fn dump(url: &StoreUrl, out: &mut impl Write) -> Result<BackupSummary, CommandError> {
    fn run<E: PersistentEngine>(path: &Path, out: &mut impl Write) -> Result<BackupSummary, CommandError> {
        let dumped = dump_store::<E>(path, out);
        dumped.map(Into::into).map_err(|error| restore_failure(&error, &path.display().to_string()))
    }
    with_engine!(url, run(out))
}

/// Builds a new store from a dump, which messages name `source`. Returns the summary of the dump, and that of the new store as read
/// back; they are equal. `progress` receives the number of records since its last call.
pub(crate) fn restore(
    url: &StoreUrl,
    input: impl Read,
    source: &str,
    progress: &mut dyn FnMut(u64),
) -> Result<(ContentHash, ContentHash), CommandError> {
    fn run<E: PersistentEngine>(
        path: &Path,
        input: impl Read,
        source: &str,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(ContentHash, ContentHash), CommandError> {
        let mut dump = DumpReader::open(input).map_err(|error| restore_failure(&error.into(), source))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        if let Some(folder) = folder {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|error| {
                let folder = folder.display();
                CommandError::configuration(format!("{folder} cannot be created ({error}); give this user access"))
            })?;
        }
        let restored = voight_embedded::restore::<E>(&mut dump, path, progress).map_err(|error| {
            if let Some(folder) = folder {
                // Removes the directory only if it is empty.
                let _ = fs::remove_dir(folder);
            }
            restore_failure(&error, source)
        });
        restored.map(|(from, to)| (from.into(), to.into()))
    }
    with_engine!(url, run(input, source, progress))
}

/// Converts the error; names the source if the source caused it.
pub(super) fn restore_failure(error: &RestoreError, source: &str) -> CommandError {
    match error {
        RestoreError::Open(error) => open_failure(error),
        RestoreError::Occupied { .. } => CommandError::configuration(error.to_string()),
        RestoreError::Dump(error) => CommandError::internal(format!("{source}: {error}")),
        RestoreError::ContentMismatch => CommandError::internal(error.to_string()),
    }
}

fn opened<T>(outcome: Result<T, OpenError>) -> Result<T, CommandError> {
    outcome.map_err(|error| open_failure(&error))
}

fn table_line(TableReport { table, rows, bytes }: TableReport) -> TableLine {
    TableLine { table: table.to_owned(), rows, bytes }
}

fn no_files(url: &StoreUrl) -> CommandError {
    let sentence = match url {
        StoreUrl::Memory => {
            "the store memory: ends with its process and has no files; name a persistent store, for example redb:PATH"
                .to_owned()
        }
        database => format!(
            "the store {database} is a database and has no store files; use its server, and back the database up with pg_basebackup or pg_dump"
        ),
    };
    CommandError::new(Exit::Usage, sentence)
}
