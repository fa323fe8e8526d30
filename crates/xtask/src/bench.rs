//! `cargo xtask bench`: what the service costs, on a release build.

use std::process::ExitCode;

use anyhow::Result;

use crate::say;
use crate::setup;
use crate::tool::run_tool;
use crate::workspace::Workspace;

/// What asks for a comparison with what one would write by hand instead.
const PEERS: &str = "--peers";

/// Builds what is measured and the tool that does it, and hands the arguments on.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    if arguments.iter().any(|argument| argument == PEERS) {
        say::keep_standard_output_free();
        setup::ensure_peers(&Workspace::locate()?)?;
    }
    run_tool("voight-bench", &["voight", "voight-bench"], arguments)
}
