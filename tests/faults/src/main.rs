//! Entry point of `cargo xtask faults`: runs scenarios of the fault matrix at any volume.

mod cli;
mod run;

use clap::Parser;
use std::process::ExitCode;
use voight_tests::console;

fn main() -> ExitCode {
    let outcome = match cli::FaultsCli::parse() {
        cli::FaultsCli {
            work: Some(cli::InternalCommand::Write(write)),
            ..
        } => write.run().map(|()| true),
        cli::FaultsCli {
            work: Some(cli::InternalCommand::Fill(fill)),
            ..
        } => fill.run().map(|()| true),
        cli::FaultsCli { options, .. } => run::run(&options),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            console::error(&error);
            ExitCode::FAILURE
        }
    }
}
