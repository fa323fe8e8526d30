#![doc = include_str!("../README.md")]

mod admin_client;
mod cli;
mod config;
mod data_dir;
mod demo;
mod exit;
mod http_settings;
mod installation;
mod lifecycle;
mod output;
pub mod parsers;
mod session;
mod store_url;
mod system;
mod telemetry;
#[cfg(test)]
mod testing;
mod wiring;

use clap::Parser;
use cli::Cli;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the program with these arguments, the first of which is its name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are printed this way too, with code 0; a reader that went away is no failure.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let output = cli.output();
    match cli.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output.failure(&failure);
            failure.exit.into()
        }
    }
}
