//! Information about a store without a running server, from its files.

use super::{LastScrub, StoreInfoView};
use crate::cli::invocation::Invocation;
use crate::cli::store::target;
use crate::cli::store::verify::line;
use crate::exit::CommandError;
use crate::store_url::StoreUrl;
use crate::wiring::{OfflineTask, open_failure};
use std::path::Path;
use voight_api::admin::TableLine;
use voight_embedded::{
    DiskMonitor, OfflineStore, PersistentEngine, ScrubStateFile, StorePaths, count_rows, last_modified,
};

pub(super) fn read_info(invocation: &Invocation, url: &StoreUrl) -> Result<StoreInfoView, CommandError> {
    target::run_offline(invocation, url, Looking(url))
}

struct Looking<'a>(&'a StoreUrl);

impl OfflineTask for Looking<'_> {
    type Output = StoreInfoView;

    fn run_on_engine<E: PersistentEngine>(self, path: &Path) -> Result<StoreInfoView, CommandError> {
        let failed = |error: &dyn std::fmt::Display| CommandError::internal(format!("{}: {error}", self.0));
        // Read before the store is opened, because opening it may write.
        let files_written_at = last_modified(&StorePaths::for_store(path).main).ok().map(|at| at.to_string());
        let store = OfflineStore::<E>::open_read_only(path).map_err(|error| open_failure(&error))?;
        let identity = store.identity(path).map_err(|error| open_failure(&error))?;
        let mut tables: Vec<TableLine> = Vec::new();
        for engine in std::iter::once(&store.main).chain(&store.evidence) {
            let rows = engine.snapshot().and_then(|view| count_rows(&view));
            tables.extend(rows.map_err(|error| failed(&error))?.into_iter().map(line));
        }
        let disk = DiskMonitor::new(path, 0).disk_use().map_err(|error| failed(&error))?;
        let round = ScrubStateFile::for_store(path).read(&identity);
        Ok(StoreInfoView {
            store: self.0.to_string(),
            engine: store.main.name().to_owned(),
            identity: identity.id(),
            format: identity.format(),
            created_at: identity.created_at().to_string(),
            health: None,
            main_bytes: disk.main,
            evidence_bytes: disk.evidence,
            free_bytes: Some(disk.free),
            last_commit_at: None,
            files_written_at,
            last_scrub: round
                .map(|round| LastScrub { finished_at: round.finished_at.to_string(), damaged: round.damaged }),
            rows: Some(tables.iter().map(|table| table.rows).sum()),
            tables,
        })
    }
}
