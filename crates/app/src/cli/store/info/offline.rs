//! Information about a store without a running server, from its files.

use super::{LastScrub, StoreInfoView};
use crate::cli::invocation::Invocation;
use crate::cli::store::target;
use crate::exit::CommandError;
use crate::wiring::{StoreDescription, StoreUrl, describe};

pub(super) fn read_info(invocation: &Invocation, url: &StoreUrl) -> Result<StoreInfoView, CommandError> {
    let found = describe(url).map_err(|failure| target::explain(invocation, url, failure))?;
    let StoreDescription { engine, identity, tables, disk, files_written_at, last_scrub } = found;
    let last_scrub =
        last_scrub.map(|pass| LastScrub { finished_at: pass.finished_at.to_string(), damaged: pass.damaged });
    Ok(StoreInfoView {
        store: url.to_string(),
        engine,
        identity: identity.id,
        format: identity.format,
        created_at: identity.created_at.to_string(),
        health: None,
        main_bytes: disk.main,
        evidence_bytes: disk.evidence,
        free_bytes: Some(disk.free),
        last_commit_at: None,
        files_written_at: files_written_at.map(|at| at.to_string()),
        last_scrub,
        rows: Some(tables.iter().map(|table| table.rows).sum()),
        tables,
    })
}
