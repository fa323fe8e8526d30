//! `cargo xtask bench`: what the running service costs, beside a static handler.

mod cleanup;
mod cli;
mod clock;
mod load;
mod machine;
mod page;
mod report;
mod run;
mod say;
mod section;
mod subject;

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
