//! Name of a client.

use super::plain_text::{HiddenCharacter, check_name};
use std::fmt;
use std::str::FromStr;

/// Unique name of a client: 1 to 64 visible characters, no space at either end.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientName(String);

/// Error returned for a text that is not a client name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClientNameError {
    /// The name is empty, too long, or has a space at either end.
    #[error("a client's name has 1 to 64 printable characters and no space at either end")]
    Shape,
    /// The name has a character that makes it look like another one.
    #[error("in a client's name, {0}")]
    Hidden(#[from] HiddenCharacter),
}

impl ClientName {
    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Parses a name from a record. Earlier versions accepted characters that are not visible; their records stay
    /// readable.
    pub fn from_record(text: &str) -> Option<Self> {
        (has_shape(text) && !text.chars().any(char::is_control)).then(|| Self(text.to_owned()))
    }
}

fn has_shape(text: &str) -> bool {
    (1..=64).contains(&text.chars().count()) && text.trim() == text
}

impl FromStr for ClientName {
    type Err = ClientNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        check_name(text)?;
        if has_shape(text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ClientNameError::Shape)
        }
    }
}

impl fmt::Display for ClientName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_printable_and_trimmed() {
        for good in ["acme", "Acme Quests", "クエスト"] {
            assert_eq!(good.parse::<ClientName>().unwrap().as_str(), good);
        }
        let long = "x".repeat(65);
        for bad in ["", " acme", "acme ", long.as_str()] {
            assert_eq!(
                bad.parse::<ClientName>(),
                Err(ClientNameError::Shape),
                "{bad:?}"
            );
        }
    }
    #[test]
    fn lookalike_client_name_is_rejected() {
        for (bad, named) in [
            ("ac\nme", "U+000A"),
            ("acme\u{202e}gro.live", "U+202E"),
            ("ac\u{200d}me", "U+200D"),
        ] {
            let error = bad.parse::<ClientName>().unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("in a client's name, {named} ")),
                "{error}"
            );
        }
    }

    #[test]
    fn recorded_names_stay_readable() {
        assert_eq!(
            ClientName::from_record("ac\u{202e}me").unwrap().as_str(),
            "ac\u{202e}me"
        );
        assert_eq!(ClientName::from_record(" acme"), None);
    }
}
