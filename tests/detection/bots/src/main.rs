//! Entry point of `cargo xtask detect bots`: bots and synthetic people in the real window.

mod cli;
mod run;
mod table;

use clap::Parser;
use std::process::ExitCode;
use voight_tests::console;

fn main() -> ExitCode {
    match run::run(&cli::CorpusCli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            console::error(&error);
            ExitCode::FAILURE
        }
    }
}
