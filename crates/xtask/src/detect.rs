//! `cargo xtask detect`: runs the detection evaluation and the bot corpus, on release builds.

use std::process::ExitCode;

use anyhow::Result;

use crate::console;
use crate::release_tool::{RELEASE, run_tool};
use crate::setup;
use crate::workspace::Workspace;

/// Builds the evaluation tool and passes the arguments on. `bots` is a separate tool, and needs browsers and their drivers.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    match arguments.split_first() {
        Some((subcommand, rest)) if subcommand == "bots" => {
            console::reserve_standard_output();
            setup::run_for_bot_corpus(&Workspace::locate()?)?;
            run_tool(
                "voight-bot-corpus",
                &["voight", "voight-bot-corpus"],
                RELEASE,
                rest,
            )
        }
        _ => run_tool(
            "voight-detection-eval",
            &["voight-detection-eval"],
            RELEASE,
            arguments,
        ),
    }
}
