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
        cli::Task::Test { only } => test::run(only),
        cli::Task::Assets { check } => assets::run(check),
        cli::Task::Bench { arguments } => bench::run(&arguments),
        cli::Task::Torture { arguments } => torture::run(&arguments),
        cli::Task::Detect { arguments } => detect::run(&arguments),
        cli::Task::Examples { names } => examples::run(&names),
        cli::Task::Fuzz(asked) => fuzz::run(&asked),
        cli::Task::Profile(asked) => profile::run(asked),
        cli::Task::Package { out } => package::run(out),
    };
    done.unwrap_or_else(|error| {
        say::error(&error);
        ExitCode::FAILURE
    })
}
