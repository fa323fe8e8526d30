//! `cargo xtask faults`: runs the fault scenarios on a release build.

use std::process::ExitCode;

use anyhow::Result;

use crate::release_tool::{RELEASE, run_tool};

/// Builds the tested programs and the fault injection tool, and passes the arguments on.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    run_tool(
        "voight-faults",
        &["voight", "voight-faults"],
        RELEASE,
        arguments,
    )
}
