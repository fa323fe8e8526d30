//! `cargo xtask detect`: runs the detection evaluation and the bot corpus, on release builds.

use std::process::ExitCode;

use anyhow::Result;

use crate::console;
use crate::release_tool::run_tool;
use crate::setup;
use crate::workspace::Workspace;

/// Builds the evaluation tool and passes the arguments on. `zoo` is a separate tool, and needs browsers and their drivers.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    match arguments.split_first() {
        Some((zoo, rest)) if zoo == "zoo" => {
            console::keep_standard_output_free();
            setup::run_for_zoo(&Workspace::locate()?)?;
            run_tool("voight-bot-corpus", &["voight", "voight-bot-corpus"], rest)
        }
        _ => run_tool("voight-detection-eval", &["voight-detection-eval"], arguments),
    }
}
