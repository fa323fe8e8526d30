//! `cargo xtask torture`: rows of the fault matrix at any volume.

mod cli;
mod duration;
mod run;
mod say;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match cli::Cli::parse() {
        cli::Cli { work: Some(cli::Work::Write(write)), .. } => write.run().map(|()| true),
        cli::Cli { work: Some(cli::Work::Fill(fill)), .. } => fill.run().map(|()| true),
        cli::Cli { torture, .. } => run::run(&torture),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            say::error(&error);
            ExitCode::FAILURE
        }
    }
}
