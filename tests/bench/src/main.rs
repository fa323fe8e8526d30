//! `cargo xtask bench`: benchmarks the running service against a static handler.

mod cleanup;
mod cli;
mod clock;
mod load;
mod machine;
mod page;
mod progress;
mod report;
mod run;
mod section;
mod servers;

use clap::Parser;
use std::process::ExitCode;
use voight_tests::console;

fn main() -> ExitCode {
    match run::run(&cli::BenchCli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            console::error(&error);
            ExitCode::FAILURE
        }
    }
}
