//! Runner of workspace tools on optimised builds.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::console;
use crate::environment;
use crate::process;
use crate::workspace::Workspace;

/// Profile that builds quickly. The directory of its builds has the same name.
pub(crate) const RELEASE: &str = "release";
/// Profile of packages and published benchmarks. The directory of its builds has the same name.
pub(crate) const DIST: &str = "dist";

/// Builds `packages` with a profile and runs the binary `tool` with the arguments.
///
/// The tool finds the service's binary in `VOIGHT_BIN`.
pub(crate) fn run_tool(
    tool: &str,
    packages: &[&str],
    profile: &str,
    arguments: &[String],
) -> Result<ExitCode> {
    let workspace = Workspace::locate()?;
    let of = packages.iter().flat_map(|package| ["-p", package]);
    console::reserve_standard_output();
    process::run(
        workspace
            .cargo()
            .args(["build", "--quiet", "--profile", profile])
            .args(of),
    )?;
    let binaries = workspace.binaries_of(profile);
    let mut command = Command::new(binaries.join(tool));
    command.current_dir(workspace.root()).args(arguments);
    environment::provide(&mut command, &workspace, &binaries.join("voight"))?;
    let is_success = command.status()?.success();
    Ok(if is_success {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
