//! The hot path by itself, from a lookup's bytes to the bytes of its answer, for counting its instructions and allocations.
//!
//! It is the public app on the shipped limits and log filter, over the memory store and behind a connection without a socket:
//! no system call, no other thread and no real time is in the figures, so that they repeat. Instructions are counted from
//! outside, by callgrind, between entering and leaving [`measure::measured`].

mod hand;
mod measure;
mod platform;
mod wire;

use anyhow::{Context, Result};
use std::io::{self, Write};
use std::process::ExitCode;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Lookups that are measured unless the command line says otherwise.
const LOOKUPS: u32 = 1000;

fn main() -> ExitCode {
    match requested_count().and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Whoever closed standard error does not want to know.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// How many lookups to measure.
fn requested_count() -> Result<u32> {
    let Some(word) = std::env::args().nth(1) else { return Ok(LOOKUPS) };
    let number = word.parse().ok().filter(|lookups| *lookups > 0);
    number.with_context(|| format!("{word:?} is no number of lookups; give one from 1, or none for {LOOKUPS}"))
}

fn run(lookups: u32) -> Result<()> {
    log_to_nowhere();
    let allocations = measure::run(lookups)?;
    writeln!(io::stdout(), r#"{{"lookups":{lookups},"allocations":{allocations}}}"#).context("the result has no reader")
}

/// Log lines are written as the service does unless it is told otherwise, but to nowhere.
fn log_to_nowhere() {
    let levels = [("actix_server", LevelFilter::WARN), ("actix_http::h1::dispatcher", LevelFilter::OFF)];
    let chosen = Targets::new().with_default(LevelFilter::INFO).with_targets(levels);
    tracing_subscriber::registry().with(chosen).with(fmt::layer().with_ansi(false).with_writer(io::sink)).init();
}
