//! Structured logs on standard error.

use crate::config::Log;
use crate::exit::Failure;
use crate::output::colour_on_stderr;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt;
use tracing_subscriber::util::SubscriberInitExt;

/// Starts logging. `RUST_LOG`, where it is set, is stronger than the configured filter.
pub(crate) fn start(log: &Log) -> Result<(), Failure> {
    let text = std::env::var("RUST_LOG").ok().filter(|text| !text.is_empty()).unwrap_or_else(|| log.filter.clone());
    let filter = parse(&text)?;
    let builder = fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(colour_on_stderr());
    let started = if log.json { builder.json().finish().try_init() } else { builder.finish().try_init() };
    // A second start in one process (tests) keeps the first subscriber.
    started.or(Ok(()))
}

/// The filter in `text`.
pub(crate) fn parse(text: &str) -> Result<EnvFilter, Failure> {
    EnvFilter::builder().parse(text).map_err(|error| {
        Failure::configuration(format!(
            "the log filter {text:?} cannot be read ({error}); write for example `info` or `info,voight_http=debug`"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_that_cannot_be_read_is_named() {
        assert!(parse("info,voight_http=debug").is_ok());
        assert!(parse("voight=loud").unwrap_err().sentence.contains("voight=loud"));
    }
}
