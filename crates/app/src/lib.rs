#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(feature = "server"),
    expect(
        dead_code,
        unused_imports,
        reason = "modules that the command line shares with the server"
    )
)]

mod admin_client;
mod cli;
mod config;
#[cfg(feature = "server")]
mod console;
mod data_dir;
#[cfg(feature = "server")]
mod demo;
mod exit;
mod exposed_secrets;
#[cfg(feature = "server")]
pub mod fuzz_entry_points;
#[cfg(feature = "server")]
mod http_settings;
#[cfg(feature = "server")]
mod installation;
#[cfg(feature = "server")]
mod lifecycle;
#[cfg(feature = "server")]
mod local_store;
#[cfg(not(feature = "server"))]
#[path = "no_local_store.rs"]
mod local_store;
mod object_kind;
mod os;
mod output;
#[cfg(test)]
mod reference_pages;
mod session;
mod telemetry;
#[cfg(test)]
mod testing;
mod wiring;
mod write_failure;

use clap::Parser;
use clap::error::ErrorKind;
use cli::{Cli, asks_for_json, usage_failure};
use output::Output;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the program with these arguments, the first of which is its name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return rejected(&error, &arguments),
    };
    let output = cli.output();
    match cli.run(config::process_environment()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output.failure(&failure);
            failure.exit.into()
        }
    }
}

/// Prints the requested help or version, or the reason why the command line was rejected.
fn rejected(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    let is_json = asks_for_json(arguments);
    let is_bare =
        error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand && arguments.len() < 2;
    if !error.use_stderr() || (is_bare && !is_json) {
        // A reader that closed the pipe is not a failure.
        let _ = error.print();
        return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
    }
    let failure = usage_failure(error, arguments);
    Output::from_json_flag(is_json).failure(&failure);
    failure.exit.into()
}
