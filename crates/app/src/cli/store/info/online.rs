//! Information about the store of a running server, from its admin API.

use super::{LastScrub, StoreInfoView};
use crate::admin_client::AdminClient;
use crate::cli::invocation::Invocation;
use crate::cli::store::target;
use crate::exit::CommandError;
use voight_api::admin::routes;

pub(super) fn fetch_info(invocation: &Invocation, server: &AdminClient) -> Result<StoreInfoView, CommandError> {
    let found = server.call(&routes::SHOW_STORE.call([]))?;
    let (disk, scrub) = (found.disk, found.last_scrub);
    Ok(StoreInfoView {
        store: name(invocation)?,
        engine: found.info.engine,
        identity: found.info.identity,
        format: found.info.format,
        created_at: found.info.created_at,
        health: Some(found.info.health),
        main_bytes: disk.as_ref().map_or(0, |disk| disk.main_bytes),
        evidence_bytes: disk.as_ref().map_or(0, |disk| disk.evidence_bytes),
        free_bytes: disk.map(|disk| disk.free_bytes),
        last_commit_at: found.last_commit_at,
        files_written_at: None,
        last_scrub: scrub.as_ref().map(LastScrub::from_scrub),
        rows: scrub.as_ref().map(|scrub| scrub.rows),
        tables: scrub.map(|scrub| scrub.tables).unwrap_or_default(),
    })
}

/// Returns the store's URL in the local configuration.
///
/// For a server named by `--server`, it is the URL of the server.
fn name(invocation: &Invocation) -> Result<String, CommandError> {
    match &invocation.globals.server {
        Some(url) => Ok(format!("of the server at {url}")),
        None => target::resolve(invocation, None).map(|url| url.to_string()),
    }
}
