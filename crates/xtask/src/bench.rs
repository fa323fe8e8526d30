//! `cargo xtask bench`: measures the cost of the service, on a release build.

use std::process::ExitCode;

use anyhow::Result;

use crate::console;
use crate::release_tool::{DIST, run_tool};
use crate::setup;
use crate::workspace::Workspace;

/// Flag that selects the comparison with hand-written alternatives.
const COMPARE: &str = "--compare";

/// Builds the measured programs and the benchmark tool, and passes the arguments on.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    if arguments.iter().any(|argument| argument == COMPARE) {
        console::reserve_standard_output();
        setup::ensure_peers(&Workspace::locate()?)?;
    }
    run_tool("voight-bench", &["voight", "voight-bench"], DIST, arguments)
}
