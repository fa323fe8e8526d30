//! Structured logs on standard error.

pub(crate) mod log_filter;
mod log_rate;

use crate::config::Log;
use crate::exit::CommandError;
use crate::output::colour_on_stderr;
use log_rate::LogRate;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Maximum levels of targets that a filter does not name: the HTTP server reports malformed requests as errors, and the
/// database client logs the parameters of its statements, which contain addresses.
const MUTED_TARGETS: [(&str, LevelFilter); 3] = [
    ("actix_server", LevelFilter::WARN),
    ("actix_http::h1::dispatcher", LevelFilter::OFF),
    ("tokio_postgres", LevelFilter::INFO),
];

/// Starts the log of a command. `RUST_LOG`, if set, takes precedence over the configured filter.
pub(crate) fn start(log: &Log) -> Result<(), CommandError> {
    start_with(log, None)
}

/// Starts the log of a server, whose callers must not be able to flood it.
pub(crate) fn start_limited(log: &Log) -> Result<(), CommandError> {
    let log_rate = LogRate::start()
        .map_err(|error| CommandError::internal(format!("no thread starts: {error}")))?;
    start_with(log, Some(log_rate))
}

fn start_with(log: &Log, log_rate: Option<LogRate>) -> Result<(), CommandError> {
    let text = std::env::var("RUST_LOG")
        .ok()
        .filter(|text| !text.is_empty())
        .unwrap_or_else(|| log.filter.clone());
    let registry = tracing_subscriber::registry()
        .with(mute(log_filter::parse(&text)?))
        .with(log_rate);
    let lines = fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(colour_on_stderr());
    let init_result = if log.json {
        registry.with(lines.json()).try_init()
    } else {
        registry.with(lines).try_init()
    };
    // A second start in one process (in tests) keeps the first subscriber.
    init_result.or(Ok(()))
}

/// Limits the level of every muted target that the filter does not name, by itself or by a parent.
fn mute(filter: Targets) -> Targets {
    let default = filter.default_level().unwrap_or(LevelFilter::OFF);
    let is_named = |target: &str| filter.iter().any(|(named, _)| target.starts_with(named));
    let muted_targets: Vec<_> = MUTED_TARGETS
        .into_iter()
        .filter(|(target, _)| !is_named(target))
        .collect();
    filter.with_targets(
        muted_targets
            .into_iter()
            .map(|(target, level)| (target, level.min(default))),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing::Level;

    #[test]
    fn muted_target_is_logged_only_if_it_is_named() {
        let logs = |filter: &str, target: &str, level: Level| {
            mute(log_filter::parse(filter).unwrap()).would_enable(target, &level)
        };
        let dispatcher = "actix_http::h1::dispatcher";
        for filter in ["info", "debug", "trace", "debug,voight_http=trace"] {
            assert!(!logs(filter, dispatcher, Level::ERROR), "{filter}");
            assert!(
                !logs(filter, "actix_server::worker", Level::INFO),
                "{filter}"
            );
            assert!(
                !logs(filter, "tokio_postgres::query", Level::DEBUG),
                "{filter}"
            );
            assert!(logs(filter, "voight_http", Level::INFO), "{filter}");
        }
        assert!(logs("debug,actix_http=debug", dispatcher, Level::DEBUG));
        assert!(logs(
            "info,actix_server=debug",
            "actix_server::worker",
            Level::DEBUG
        ));
        assert!(logs(
            "info,tokio_postgres::query=debug",
            "tokio_postgres::query",
            Level::DEBUG
        ));
        // A mute never raises a level.
        assert!(
            !logs("error", "actix_server", Level::WARN)
                && !logs("voight=info", "tokio_postgres", Level::ERROR)
        );
    }
}
