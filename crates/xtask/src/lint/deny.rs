//! Dependency checks: licences, sources, bans and known vulnerabilities. The rules are in `.cargo/deny.toml`.

use std::process::Command;

use anyhow::Result;

use crate::workspace::Workspace;
use crate::{console, process};

/// Timeout in seconds for fetching the advisory database, which may be unreachable. A network that drops packets must not block
/// the run.
const FETCH_SECONDS: &str = "60";

/// Manifests of what is released, each with its own lock file: the service, and the Rust SDK.
const MANIFESTS: [&str; 2] = ["Cargo.toml", "crates/sdk/rust/Cargo.toml"];

/// Entries of the rules that concern only one of the lock files.
const UNMATCHED: [&str; 4] = [
    "--allow",
    "unused-wrapper",
    "--allow",
    "license-exception-not-encountered",
];

/// Summary line if the database is unreachable.
const NOT_CHECKED: &str =
    "not checked against dependencies, because the database could not be fetched";

/// Checks what the lock files and the sources determine. Duplicate versions of a crate cause a one-line warning; `cargo deny
/// check` shows their dependents.
pub(super) fn dependencies(workspace: &Workspace) -> Result<Option<String>> {
    for manifest in MANIFESTS {
        let checks = ["--hide-inclusion-graph", "bans", "licenses", "sources"];
        process::run(
            deny(workspace, manifest)
                .arg("check")
                .args(UNMATCHED)
                .args(checks),
        )?;
    }
    Ok(None)
}

/// Checks for known vulnerabilities and yanked versions, if the database can be fetched.
pub(super) fn advisories(workspace: &Workspace) -> Result<Option<String>> {
    if !process::succeeds(&mut fetch(workspace))? {
        console::line(format_args!("advisories: {NOT_CHECKED}"));
        return Ok(Some(NOT_CHECKED.to_owned()));
    }
    for manifest in MANIFESTS {
        process::run(deny(workspace, manifest).args(["check", "--disable-fetch", "advisories"]))?;
    }
    Ok(None)
}

/// Returns `cargo deny` for a manifest, with the rules of the workspace.
fn deny(workspace: &Workspace, manifest: &str) -> Command {
    let mut command = workspace.cargo();
    command.args([
        "deny",
        "--config",
        ".cargo/deny.toml",
        "--manifest-path",
        manifest,
    ]);
    command
}

fn fetch(workspace: &Workspace) -> Command {
    let mut command = Command::new("timeout");
    command.current_dir(workspace.root());
    command.args([FETCH_SECONDS, "cargo", "deny", "fetch", "db"]);
    // An address that asks for a password is treated as unreachable.
    command.env("GIT_TERMINAL_PROMPT", "0");
    command
}
