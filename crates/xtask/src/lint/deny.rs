//! Dependency checks: licences, sources, bans and known vulnerabilities. The rules are in `.cargo/deny.toml`.

use std::process::Command;

use anyhow::Result;

use crate::workspace::Workspace;
use crate::{console, process};

/// Timeout in seconds for fetching the advisory database, which may be unreachable. A network that drops packets must not block
/// the run.
const FETCH_SECONDS: &str = "60";

/// Summary line if the database is unreachable.
const NOT_CHECKED: &str = "not checked against dependencies, because the database could not be fetched";

/// Checks what the lock file and the sources determine. Duplicate versions of a crate cause a one-line warning; `cargo deny
/// check` shows their dependents.
pub(super) fn dependencies(workspace: &Workspace) -> Result<Option<String>> {
    process::run(workspace.cargo().args(["deny", "check", "--hide-inclusion-graph", "bans", "licenses", "sources"]))
        .map(|()| None)
}

/// Checks for known vulnerabilities and yanked versions, if the database can be fetched.
pub(super) fn advisories(workspace: &Workspace) -> Result<Option<String>> {
    if !process::succeeds(&mut fetch(workspace))? {
        console::line(format_args!("advisories: {NOT_CHECKED}"));
        return Ok(Some(NOT_CHECKED.to_owned()));
    }
    process::run(workspace.cargo().args(["deny", "check", "--disable-fetch", "advisories"])).map(|()| None)
}

fn fetch(workspace: &Workspace) -> Command {
    let mut command = Command::new("timeout");
    command.current_dir(workspace.root());
    command.args([FETCH_SECONDS, "cargo", "deny", "fetch", "db"]);
    // An address that asks for a password is treated as unreachable.
    command.env("GIT_TERMINAL_PROMPT", "0");
    command
}
