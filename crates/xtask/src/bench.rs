//! `cargo xtask bench`: measures the cost of the service, on a release build.

use std::process::ExitCode;

use anyhow::Result;

use crate::console;
use crate::release_tool::run_tool;
use crate::setup;
use crate::workspace::Workspace;

/// Flag that selects the comparison with hand-written alternatives.
const PEERS: &str = "--peers";

/// Builds the measured programs and the benchmark tool, and passes the arguments on.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    if arguments.iter().any(|argument| argument == PEERS) {
        console::keep_standard_output_free();
        setup::ensure_peers(&Workspace::locate()?)?;
    }
    run_tool("voight-bench", &["voight", "voight-bench"], arguments)
}
