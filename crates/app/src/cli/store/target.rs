//! Resolves the store that a command operates on. Creates nothing.

use crate::cli::invocation::Invocation;
use crate::data_dir::{AdminSocket, DataDir};
use crate::exit::{CommandError, Exit};
use crate::installation::store_url;
use crate::store_url::StoreUrl;
use crate::wiring::{OfflineTask, PostgresUrl, run_with_engine};

/// Returns the named store; else the configured one, or the last one of the data directory.
pub(super) fn resolve(invocation: &Invocation, named: Option<StoreUrl>) -> Result<StoreUrl, CommandError> {
    if let Some(url) = named {
        return Ok(url);
    }
    let config = invocation.load(Vec::new())?.config;
    store_url(&config, &DataDir::inspect(&config.store.data_dir)?)
}

/// Returns the database of a store. For a store in files, the error gives `why` as the reason.
pub(super) fn database<'a>(url: &'a StoreUrl, why: &str) -> Result<&'a PostgresUrl, CommandError> {
    match url {
        StoreUrl::Postgres(url) => Ok(url),
        other => Err(CommandError::new(Exit::Usage, format!("the store {other} is in no database: {why}"))),
    }
}

/// Runs `work` on the files of a store. If a running server holds them, the error names the server.
pub(super) fn run_offline<W: OfflineTask>(
    invocation: &Invocation,
    url: &StoreUrl,
    work: W,
) -> Result<W::Output, CommandError> {
    run_with_engine(url, work).map_err(|failure| match failure.exit {
        Exit::Unreachable => held(invocation, failure),
        Exit::NotFound => CommandError::new(
            Exit::NotFound,
            format!("there is no store at {url}: name the URL of a store, or its directory with --data-dir"),
        ),
        _ => failure,
    })
}

fn held(invocation: &Invocation, failure: CommandError) -> CommandError {
    let Ok(loaded) = invocation.load(Vec::new()) else { return failure };
    let socket = DataDir::inspect(&loaded.config.store.data_dir).ok().map(|dir| dir.admin_socket());
    match socket.filter(AdminSocket::exists) {
        Some(socket) => CommandError::unreachable(format!(
            "{} (the server of this data directory has its admin socket at {}). This command requires exclusive access to the store; `voight store info` shows the last scrub pass of a running server, and `voight store backup` reads all records",
            failure.message,
            socket.path().display()
        )),
        None => failure,
    }
}
