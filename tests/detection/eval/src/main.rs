//! Entry point of `cargo xtask detect`: train, evaluate, report.

mod cli;

use clap::Parser;
use std::process::ExitCode;
use voight_tests::console;

fn main() -> ExitCode {
    match cli::EvaluationCli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            console::error(&error);
            ExitCode::FAILURE
        }
    }
}
