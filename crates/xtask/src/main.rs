#![doc = include_str!("../README.md")]

mod assets;
mod bench;
mod cli;
mod console;
mod detect;
mod docs;
mod edit_loop;
mod environment;
mod examples;
mod faults;
mod files;
mod full;
mod fuzz;
mod lint;
mod metrics;
mod outcome;
mod package;
mod plan;
mod process;
mod profile;
mod record;
mod release_tool;
mod report;
mod runner_summary;
mod sdk;
mod setup;
mod skips;
mod stale_results;
mod stopwatch;
mod suite;
mod test;
mod test_stage;
mod tested_sources;
mod typescript;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli::Cli { command } = cli::Cli::parse();
    let exit_code = match command {
        cli::Task::Test {
            edit_loop: true, ..
        } => edit_loop::run(),
        cli::Task::Test {
            only,
            full,
            restart,
            ..
        } => test::run(only, full, restart),
        cli::Task::Assets { check } => assets::run(check),
        cli::Task::Bench { arguments } => bench::run(&arguments),
        cli::Task::Faults { arguments } => faults::run(&arguments),
        cli::Task::Detect { arguments } => detect::run(&arguments),
        cli::Task::Docs { out } => docs::run(out),
        cli::Task::Examples { names } => examples::run(&names),
        cli::Task::Fuzz(arguments) => fuzz::run(&arguments),
        cli::Task::Profile(arguments) => profile::run(arguments),
        cli::Task::Sdk { check } => sdk::run(check),
        cli::Task::Metrics { check } => metrics::run(check),
        cli::Task::Package(arguments) => package::run(arguments),
    };
    exit_code.unwrap_or_else(|error| {
        console::error(&error);
        ExitCode::FAILURE
    })
}
