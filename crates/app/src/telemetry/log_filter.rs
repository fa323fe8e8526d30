//! Filter of log lines: levels by target.

use crate::exit::CommandError;
use std::fmt::Display;
use tracing_subscriber::filter::{ParseError, Targets};

/// Log levels, by increasing verbosity.
const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// Parses a filter of levels by target. Filters on span fields are rejected, because each request would be matched against them
/// several times.
pub(crate) fn parse(text: &str) -> Result<Targets, CommandError> {
    let unread = |why: &dyn Display| {
        CommandError::configuration(format!(
            "the log filter {text:?} cannot be read ({why}); write for example `info` or `info,voight_http=debug`"
        ))
    };
    if text.contains('[') {
        return Err(unread(&"filters on spans are not supported; write targets"));
    }
    for directive in text
        .split(',')
        .map(str::trim)
        .filter(|directive| !directive.is_empty())
    {
        // A directive without a level would be a target whose events are all logged, and so would a misspelt level.
        let level = directive
            .split_once('=')
            .map_or(directive, |(_, level)| level);
        if !LEVELS.contains(&level.to_ascii_lowercase().as_str()) {
            return Err(unread(&format_args!(
                "{level:?} is not a level: the levels are {}",
                LEVELS.join(", ")
            )));
        }
    }
    text.parse()
        .map_err(|_: ParseError| unread(&"it is not a list of levels and of TARGET=LEVEL"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_that_cannot_be_read_is_named() {
        assert!(parse("info,voight_http=debug").is_ok());
        for bad in [
            "voight=loud",
            "nonsense",
            "info,nonsense",
            "voight_http",
            "=",
            "a=b=c",
            "warn,voight=",
            "[request]=debug",
            "[request{id=7}]=debug",
        ] {
            assert!(parse(bad).unwrap_err().message.contains(bad));
        }
    }
}
