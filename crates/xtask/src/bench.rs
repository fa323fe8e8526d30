//! `cargo xtask bench`: what the service costs, on a release build.

use std::process::ExitCode;

use anyhow::Result;

use crate::tool::run_tool;

/// Builds what is measured and the tool that does it, and hands the arguments on.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    run_tool("voight-bench", &["voight", "voight-bench"], arguments)
}
