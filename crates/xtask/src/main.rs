#![doc = include_str!("../README.md")]

mod assets;
mod bench;
mod cli;
mod closing;
mod detect;
mod environment;
mod examples;
mod fuzz;
mod lint;
mod outcome;
mod package;
mod part;
mod plan;
mod process;
mod profile;
mod record;
mod report;
mod say;
mod setup;
mod stopwatch;
mod suite;
mod test;
mod tool;
mod torture;
mod typescript;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli::Cli { command } = cli::Cli::parse();
    let done = match command {
        cli::Chore::Test { only } => test::run(only),
        cli::Chore::Assets { check } => assets::run(check),
        cli::Chore::Bench { arguments } => bench::run(&arguments),
        cli::Chore::Torture { arguments } => torture::run(&arguments),
        cli::Chore::Detect { arguments } => detect::run(&arguments),
        cli::Chore::Examples { names } => examples::run(&names),
        cli::Chore::Fuzz(asked) => fuzz::run(&asked),
        cli::Chore::Profile(asked) => profile::run(asked),
        cli::Chore::Package { out } => package::run(out),
    };
    done.unwrap_or_else(|error| {
        say::error(&error);
        ExitCode::FAILURE
    })
}
