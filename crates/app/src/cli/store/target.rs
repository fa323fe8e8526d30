//! Resolves the store that a command operates on. Creates nothing.

use crate::cli::invocation::Invocation;
use crate::data_dir::{AdminSocket, DataDir};
use crate::exit::{CommandError, Exit};
use crate::local_store;
use crate::wiring::StoreUrl;

/// Returns the named store; else the configured one, or the last one of the data directory.
pub(super) fn resolve(
    invocation: &Invocation,
    named: Option<StoreUrl>,
) -> Result<StoreUrl, CommandError> {
    if let Some(url) = named {
        return Ok(url);
    }
    local_store::configured(&invocation.load(Vec::new())?.config)
}

/// Explains the failure of an operation on the files of a store: if a running server holds them, the message names the server.
pub(super) fn explain(
    invocation: &Invocation,
    url: &StoreUrl,
    failure: CommandError,
) -> CommandError {
    match failure.exit {
        Exit::Unreachable => held(invocation, failure),
        Exit::NotFound => CommandError::new(
            Exit::NotFound,
            format!(
                "there is no store at {url}: name the URL of a store, or its directory with --data-dir"
            ),
        ),
        _ => failure,
    }
}

fn held(invocation: &Invocation, failure: CommandError) -> CommandError {
    let Ok(loaded) = invocation.load(Vec::new()) else {
        return failure;
    };
    let socket = DataDir::inspect(&loaded.config.store.data_dir)
        .ok()
        .map(|dir| dir.admin_socket());
    match socket.filter(AdminSocket::exists) {
        Some(socket) => CommandError::unreachable(format!(
            "{} (the server of this data directory has its admin socket at {}). This command requires exclusive access to the store; `voight store info` shows the last scrub pass of a running server, and `voight store backup` reads all records",
            failure.message,
            socket.path().display()
        )),
        None => failure,
    }
}
