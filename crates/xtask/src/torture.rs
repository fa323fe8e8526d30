//! `cargo xtask torture`: the rows of the fault matrix, on a release build.

use std::process::ExitCode;

use anyhow::Result;

use crate::tool::run_tool;

/// Builds what is tortured and the tool that does it, and hands the arguments on.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    run_tool("voight-torture", &["voight", "voight-torture"], arguments)
}
