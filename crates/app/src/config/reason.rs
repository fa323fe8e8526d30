//! Reasons why a value is rejected, in the terms of the configuration and not of its parsers.

use config::ConfigError;

const LARGEST: [(&str, u64); 3] = [("8 bit", u8::MAX as u64), ("16 bit", u16::MAX as u64), ("32 bit", u32::MAX as u64)];

/// Returns the expected form of the value that an error is about.
pub(super) fn reason(error: &ConfigError) -> String {
    match error {
        ConfigError::At { error, .. } => reason(error),
        ConfigError::Type { expected, .. } => expected_kind(expected),
        other => of_text(&other.to_string()),
    }
}

/// Describes the values that a key of this kind accepts.
fn expected_kind(kind: &str) -> String {
    if kind.contains("boolean") {
        return "true or false was expected".to_owned();
    }
    if !kind.contains("integer") {
        return format!("{kind} was expected");
    }
    match LARGEST.iter().find(|(width, _)| kind.contains(width) && !kind.contains("64")) {
        Some((_, largest)) => format!("a whole number from 0 to {largest} was expected"),
        None => "a whole number of 0 or more was expected".to_owned(),
    }
}

fn of_text(text: &str) -> String {
    if let Some((_, words)) = text.strip_prefix("unknown variant ").and_then(|rest| rest.split_once(", expected ")) {
        return format!("{words} was expected");
    }
    match text {
        "invalid socket address syntax" => {
            "an IP address and a port were expected, for example 127.0.0.1:8080".to_owned()
        }
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_the_parser_are_said_in_plain_words() {
        for (kind, words) in [
            ("an integer", "a whole number of 0 or more was expected"),
            ("an unsigned 64 bit or less integer", "a whole number of 0 or more was expected"),
            ("an unsigned 8 bit integer", "a whole number from 0 to 255 was expected"),
            ("an unsigned 16 bit integer", "a whole number from 0 to 65535 was expected"),
            ("a boolean", "true or false was expected"),
            ("a map", "a map was expected"),
        ] {
            assert_eq!(expected_kind(kind), words, "{kind}");
        }
        assert_eq!(of_text("unknown variant `x`, expected `a` or `b`"), "`a` or `b` was expected");
    }
}
