//! `cargo xtask detect`: the laboratory of detection, on a release build.

use std::process::ExitCode;

use anyhow::Result;

use crate::tool::run_tool;

/// Builds the laboratory and hands the arguments on.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    run_tool("voight-lab", &["voight-lab"], arguments)
}
