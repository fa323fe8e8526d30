//! Making a machine ready: every tool the checks and tests use, looked for and installed.

mod cargo_tools;
mod debian;
pub(crate) mod node;
mod npm;
mod python;
mod stamp;

use std::fmt;

use anyhow::Result;

use crate::process;
use crate::say;
use crate::workspace::Workspace;

pub(crate) use self::cargo_tools::ensure_fuzz;

/// Looks for everything and installs what is missing. What needs an administrator comes first, so that a run
/// without one stops before it has worked for minutes.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    debian::ensure()?;
    cargo_tools::ensure(workspace)?;
    node::ensure(workspace)?;
    npm::ensure(workspace)?;
    python::ensure(workspace)
}

/// The same, and what the zoo's families are driven by. A family whose tools are missing skips itself, so what cannot be
/// installed is said and does not stop the others.
pub(crate) fn run_for_zoo(workspace: &Workspace) -> Result<()> {
    run(workspace)?;
    for installed in [debian::ensure_zoo(), npm::ensure_zoo(workspace), python::ensure_zoo(workspace)] {
        if let Err(error) = installed {
            say::error(&error);
        }
    }
    Ok(())
}

/// What one would write by hand instead of the service: libraries and databases, and the programs in Rust, built.
pub(crate) fn ensure_peers(workspace: &Workspace) -> Result<()> {
    debian::ensure_peers()?;
    node::ensure(workspace)?;
    npm::ensure_peers(workspace)?;
    python::ensure_peers(workspace)?;
    let mut build = workspace.cargo();
    build
        .args(["build", "--quiet", "--release", "--locked", "--manifest-path"])
        .arg(workspace.peers().join("Cargo.toml"));
    process::run(build.arg("--target-dir").arg(workspace.tools().join("peers/rust")))
}

/// What takes profiles and draws them.
pub(crate) fn ensure_profile(workspace: &Workspace) -> Result<()> {
    debian::ensure_profile()?;
    cargo_tools::ensure_flamegraph(workspace)
}

/// The development tools of the browser crate: esbuild, and what makes and checks types.
pub(crate) fn ensure_browser_tools(workspace: &Workspace) -> Result<()> {
    node::ensure(workspace)?;
    npm::ensure_browser_tools(workspace)
}

/// Packages are missing that this user may not install.
#[derive(Debug)]
pub(crate) struct NeedsRoot {
    /// What an administrator has to run.
    command: String,
}

impl fmt::Display for NeedsRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this needs root. Run this as root, then try again:\n\n    {}\n", self.command)
    }
}

impl std::error::Error for NeedsRoot {}
