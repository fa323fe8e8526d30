//! Hot path of a lookup on the shipped engine, from request bytes to response bytes.
//!
//! The program serves to count the instructions and allocations of the public app with the shipped allocator, limits, log filter
//! and store: a write-ahead log over redb, on a file system in memory. Requests arrive on 64 in-memory connections, so that groups
//! of the writer have the size that they have under load. callgrind counts all threads, until the store is
//! closed after a last checkpoint.

mod measure;
mod platform;
mod wire;

use anyhow::{Context, Result};
use mimalloc::MiMalloc;
use std::io::{self, Write};
use std::process::ExitCode;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Default number of measured lookups of each connection.
pub(crate) const LOOKUPS: u32 = 500;
/// Maximum number of measured lookups of each connection. All requests are written in advance; at this number they take 300 MB.
const MAX_LOOKUPS: u32 = 10_000;

fn main() -> ExitCode {
    match requested_count().and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A write error on standard error cannot be reported.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the requested number of lookups of each connection.
fn requested_count() -> Result<u32> {
    let Some(argument) = std::env::args().nth(1) else {
        return Ok(LOOKUPS);
    };
    let number = argument
        .parse()
        .ok()
        .filter(|lookups| (1..=MAX_LOOKUPS).contains(lookups));
    number.with_context(|| {
        format!("{argument:?} is not a number of lookups; use a number from 1 to {MAX_LOOKUPS}, or none for {LOOKUPS}")
    })
}

fn run(lookups: u32) -> Result<()> {
    log_to_nowhere();
    let total = measure::run(lookups)?;
    writeln!(io::stdout(), r#"{{"lookups":{total}}}"#).context("the result has no reader")
}

/// Formats log lines with the service's default filter, but discards them.
fn log_to_nowhere() {
    let levels = [
        ("actix_server", LevelFilter::WARN),
        ("actix_http::h1::dispatcher", LevelFilter::OFF),
    ];
    let targets = Targets::new()
        .with_default(LevelFilter::INFO)
        .with_targets(levels);
    tracing_subscriber::registry()
        .with(targets)
        .with(fmt::layer().with_ansi(false).with_writer(io::sink))
        .init();
}
