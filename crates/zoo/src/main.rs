//! `cargo xtask detect zoo`: bots and people's stand-ins before the real window.

mod cli;
mod run;
mod say;
mod table;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run::run(&cli::Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say::error(&error);
            ExitCode::FAILURE
        }
    }
}
