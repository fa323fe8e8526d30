//! Dependencies: licences, sources, bans, and known vulnerabilities. The rules stand in `.cargo/deny.toml`.

use std::process::Command;

use anyhow::Result;

use crate::workspace::Workspace;
use crate::{process, say};

/// The database of advisories is fetched from its home, which may be out of reach; a network that swallows
/// packets must not hold up the run.
const FETCH_SECONDS: &str = "60";

/// The line of the closing summary when the database is out of reach.
const NOT_CHECKED: &str = "not checked against dependencies, because the database could not be fetched";

/// What can be told from the lock file and the sources. Crates that are there in two versions are warned of on one
/// line; `cargo deny check` shows what pulls them in.
pub(super) fn dependencies(workspace: &Workspace) -> Result<Option<String>> {
    process::run(workspace.cargo().args(["deny", "check", "--hide-inclusion-graph", "bans", "licenses", "sources"]))
        .map(|()| None)
}

/// Known vulnerabilities and withdrawn versions, if the database can be had.
pub(super) fn advisories(workspace: &Workspace) -> Result<Option<String>> {
    if !process::succeeds(&mut fetch(workspace))? {
        say::line(format_args!("advisories: {NOT_CHECKED}"));
        return Ok(Some(NOT_CHECKED.to_owned()));
    }
    process::run(workspace.cargo().args(["deny", "check", "--disable-fetch", "advisories"])).map(|()| None)
}

fn fetch(workspace: &Workspace) -> Command {
    let mut command = Command::new("timeout");
    command.current_dir(workspace.root());
    command.args([FETCH_SECONDS, "cargo", "deny", "fetch", "db"]);
    // An address that asks for a password is an address that is not there.
    command.env("GIT_TERMINAL_PROMPT", "0");
    command
}
