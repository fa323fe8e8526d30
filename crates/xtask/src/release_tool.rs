//! Runner of workspace tools on release builds.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::console;
use crate::environment;
use crate::process;
use crate::workspace::Workspace;

/// Name of the directory of release builds, next to that of debug builds.
pub(crate) const RELEASE: &str = "release";

/// Builds `packages` and runs the binary `tool` with the arguments.
///
/// The tool finds the service's binary in `VOIGHT_BIN`.
pub(crate) fn run_tool(tool: &str, packages: &[&str], arguments: &[String]) -> Result<ExitCode> {
    let workspace = Workspace::locate()?;
    let of = packages.iter().flat_map(|package| ["-p", package]);
    console::reserve_standard_output();
    process::run(workspace.cargo().args(["build", "--quiet", "--release"]).args(of))?;
    let binaries = workspace.binaries_of(RELEASE);
    let mut command = Command::new(binaries.join(tool));
    command.current_dir(workspace.root()).args(arguments);
    environment::provide(&mut command, &workspace, &binaries.join("voight"))?;
    let passed = command.status()?.success();
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
