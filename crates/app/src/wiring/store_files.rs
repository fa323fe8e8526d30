//! Operations on the files of a store that no server uses. All of them block.

use super::failure::{open_failure, restore_failure};
use super::store_url::{no_files, with_engine};
use super::{BackupSummary, ContentHash, StoreDescription, StoreUrl};
use crate::exit::CommandError;
use serde::Serialize;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::DirBuilderExt;
use voight_api::admin::TableLine;
use voight_domain::ports::{StoreInfo, StoreStatus};
use voight_embedded::{
    Damage, DiskMonitor, DumpReader, OfflineStore, ScrubStateFile, StorePaths, TableReport,
    count_rows, disk_bytes, dump_store, last_modified,
};
use voight_engine::{Engine as _, OpenError};

/// Result of verifying all records of a store.
#[derive(Debug, Serialize)]
pub(crate) struct StoreReport {
    /// URL of the store.
    pub(crate) subject: String,
    /// Id of the store; `None` if it cannot be read.
    pub(crate) identity: Option<String>,
    /// Version of the record format; `None` if it cannot be read.
    pub(crate) format: Option<u32>,
    /// Number of records.
    pub(crate) rows: u64,
    /// Sizes of the tables.
    pub(crate) tables: Vec<TableLine>,
    /// Number of corrupt records.
    pub(crate) damaged: u64,
    /// Corrupt records, at most 1000.
    pub(crate) damage: Vec<DamageLine>,
}

impl StoreReport {
    /// Fails if a record is corrupt.
    pub(crate) fn ensure_valid(&self) -> Result<(), CommandError> {
        let Self {
            subject, damaged, ..
        } = self;
        if *damaged == 0 {
            return Ok(());
        }
        Err(CommandError::internal(format!(
            "{subject} has {damaged} corrupt records: stop the process that uses it, and restore it from a backup"
        )))
    }
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

/// Fails if the identity of a store cannot be read, which requires no pepper.
pub(crate) fn check_identity(url: &StoreUrl) -> Result<(), CommandError> {
    with_engine!(url, |Engine, path| {
        opened(OfflineStore::<Engine>::open_read_only(path).and_then(|store| store.identity(path)))
            .map(drop)
    })
}

/// Returns the description of a store.
pub(crate) fn describe(url: &StoreUrl) -> Result<StoreDescription, CommandError> {
    let failure = |error: &dyn std::fmt::Display| CommandError::internal(format!("{url}: {error}"));
    with_engine!(url, |Engine, path| {
        // Read before the store is opened, because opening it may write.
        let files_written_at = last_modified(&StorePaths::for_store(path).main).ok();
        let store = opened(OfflineStore::<Engine>::open_read_only(path))?;
        let identity = opened(store.identity(path))?;
        let mut tables = Vec::new();
        for engine in std::iter::once(&store.main).chain(&store.evidence) {
            let rows = engine.snapshot().and_then(|view| count_rows(&view));
            tables.extend(
                rows.map_err(|error| failure(&error))?
                    .into_iter()
                    .map(table_line),
            );
        }
        let disk = DiskMonitor::new(path, 0)
            .disk_use()
            .map_err(|error| failure(&error))?;
        let last_scrub = ScrubStateFile::for_store(path).read(&identity);
        let info = StoreInfo {
            engine: store.main.name().to_owned(),
            identity: identity.id(),
            format: identity.format(),
            created_at: identity.created_at(),
        };
        let status = StoreStatus {
            disk: Some(disk),
            last_scrub,
            ..StoreStatus::default()
        };
        Ok(StoreDescription {
            info,
            status,
            tables,
            files_written_at,
        })
    })
}

/// Verifies all records. `progress` receives the number of records since its last call.
pub(crate) fn verify(
    url: &StoreUrl,
    progress: &mut dyn FnMut(u64),
) -> Result<StoreReport, CommandError> {
    // A database that panics on a corrupt page is reported as damage; the panic message would only distract.
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let verify_result = with_engine!(url, |Engine, path| opened(
        voight_embedded::verify::<Engine>(path, progress)
    ));
    std::panic::set_hook(default_hook);
    let (identity, report) = verify_result?;
    let line = |Damage {
                    table,
                    key_digest,
                    what,
                }: Damage| DamageLine {
        table,
        key_digest,
        what,
    };
    Ok(StoreReport {
        subject: url.to_string(),
        identity: identity.map(|identity| identity.id()),
        format: identity.map(|identity| identity.format()),
        rows: report.rows(),
        tables: report.tables.into_iter().map(table_line).collect(),
        damaged: report.damaged,
        damage: report.damage.into_iter().map(line).collect(),
    })
}

/// Rewrites the files of a store without free space. Returns their size before and after, in bytes.
pub(crate) fn compact(
    url: &StoreUrl,
    progress: &mut dyn FnMut(u64),
) -> Result<(u64, u64), CommandError> {
    with_engine!(url, |Engine, path| {
        let paths = StorePaths::for_store(path);
        let bytes = || disk_bytes(&paths.main) + disk_bytes(&paths.evidence);
        let bytes_before = bytes();
        opened(voight_embedded::compact::<Engine>(path, progress)).map(|()| (bytes_before, bytes()))
    })
}

/// Writes a dump of a store to `out`.
pub(crate) fn dump(url: &StoreUrl, out: &mut impl Write) -> Result<BackupSummary, CommandError> {
    with_engine!(url, |Engine, path| {
        let summary = dump_store::<Engine>(path, out).map(BackupSummary::from);
        summary.map_err(|error| restore_failure(&error, &path.display().to_string()))
    })
}

/// Builds a new store from a dump, which messages name `source`. Returns the content, which was read back and equals that of the
/// dump. `progress` receives the number of records since its last call.
pub(crate) fn restore(
    url: &StoreUrl,
    input: impl Read,
    source: &str,
    progress: &mut dyn FnMut(u64),
) -> Result<ContentHash, CommandError> {
    let Some(path) = url.path() else {
        return Err(no_files(url));
    };
    let mut dump =
        DumpReader::open(input).map_err(|error| restore_failure(&error.into(), source))?;
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    if let Some(folder) = folder {
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(|error| {
                let folder = folder.display();
                CommandError::configuration(format!(
                    "{folder} cannot be created ({error}); give this user access"
                ))
            })?;
    }
    let summary = with_engine!(url, |Engine, path| {
        let restore_result = voight_embedded::restore::<Engine>(&mut dump, path, progress);
        restore_result.map_err(|error| restore_failure(&error, source))
    });
    if let (Err(_), Some(folder)) = (&summary, folder) {
        // Removes the directory only if it is empty.
        let _ = fs::remove_dir(folder);
    }
    summary.map(|(_, to)| to.into())
}

fn opened<T>(outcome: Result<T, OpenError>) -> Result<T, CommandError> {
    outcome.map_err(|error| open_failure(&error))
}

fn table_line(TableReport { table, rows, bytes }: TableReport) -> TableLine {
    TableLine {
        table: table.to_owned(),
        rows,
        bytes,
    }
}
