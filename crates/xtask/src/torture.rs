//! `cargo xtask torture`: the rows of the fault matrix, on a release build.

use std::process::ExitCode;

use anyhow::Result;

use crate::process;
use crate::workspace::Workspace;

/// The folder of release builds, beside that of debug builds.
const RELEASE: &str = "release";

/// Builds what is tortured and the tool that does it, and hands the arguments on.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    let workspace = Workspace::locate()?;
    process::run(workspace.cargo().args(["build", "--quiet", "--release", "-p", "voight", "-p", "voight-torture"]))?;
    let binaries = workspace.binaries_of(RELEASE);
    let mut command = std::process::Command::new(binaries.join("voight-torture"));
    command.current_dir(workspace.root()).args(arguments).env("VOIGHT_BIN", binaries.join("voight"));
    let passed = command.status()?.success();
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
