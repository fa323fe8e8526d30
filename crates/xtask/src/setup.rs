//! Set-up of a machine: detects every tool of the checks and tests, and installs the missing ones.

mod cargo_tools;
mod debian;
pub(crate) mod node;
mod npm;
mod python;
mod stamp;

use std::fmt;

use anyhow::Result;

use crate::console;
use crate::process;
use crate::workspace::Workspace;

pub(crate) use self::cargo_tools::{ensure_deny, ensure_fuzz};

/// Detects all tools and installs the missing ones. Tools that need an administrator are first, so that a run without
/// permission stops early.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    debian::ensure()?;
    cargo_tools::ensure(workspace)?;
    node::ensure(workspace)?;
    npm::ensure(workspace)?;
    python::ensure(workspace)
}

/// Sets up the machine like [`run`], with the tools of the bot corpus. A family without its tools is skipped, so a failed
/// installation is reported and does not stop the others.
pub(crate) fn run_for_bot_corpus(workspace: &Workspace) -> Result<()> {
    run(workspace)?;
    for installed in [
        debian::ensure_bot_corpus(),
        npm::ensure_bot_corpus(workspace),
        python::ensure_bot_corpus(workspace),
    ] {
        if let Err(error) = installed {
            console::error(&error);
        }
    }
    Ok(())
}

/// Installs the hand-written alternatives to the service.
///
/// These are libraries and databases, and the programs in Rust, which are built.
pub(crate) fn ensure_peers(workspace: &Workspace) -> Result<()> {
    debian::ensure_peers()?;
    node::ensure(workspace)?;
    npm::ensure_peers(workspace)?;
    python::ensure_peers(workspace)?;
    let mut build = workspace.cargo();
    build
        .args([
            "build",
            "--quiet",
            "--release",
            "--locked",
            "--manifest-path",
        ])
        .arg(workspace.peers().join("Cargo.toml"));
    process::run(
        build
            .arg("--target-dir")
            .arg(workspace.tools().join("peers/rust")),
    )
}

/// Installs the tools that record and draw profiles.
pub(crate) fn ensure_profile(workspace: &Workspace) -> Result<()> {
    debian::ensure_profile()?;
    cargo_tools::ensure_flamegraph(workspace)
}

/// Installs the development tools of the browser crate: esbuild, and the tools for types.
pub(crate) fn ensure_browser_tools(workspace: &Workspace) -> Result<()> {
    node::ensure(workspace)?;
    npm::ensure_browser_tools(workspace)
}

/// Installs the tools of packages.
pub(crate) fn ensure_package(workspace: &Workspace) -> Result<()> {
    debian::ensure_package(workspace)?;
    cargo_tools::ensure_package(workspace)?;
    python::ensure_package(workspace)
}

/// Installs what the tests of packages need.
pub(crate) fn ensure_full_tier() -> Result<()> {
    debian::ensure_full_tier()
}

/// Error of missing packages that this user may not install.
#[derive(Debug)]
pub(crate) struct NeedsRoot {
    /// Command for an administrator.
    command: String,
}

impl fmt::Display for NeedsRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "this needs root. Run this command as root, then try again:\n\n    {}\n",
            self.command
        )
    }
}

impl std::error::Error for NeedsRoot {}
