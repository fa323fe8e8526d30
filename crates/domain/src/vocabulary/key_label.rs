//! Label of an API key.

use super::plain_text::{HiddenCharacter, check_name};
use std::fmt;
use std::str::FromStr;

/// Operator's label of an API key: 1 to 64 visible characters, no space at either end. Labels need not be unique.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyLabel(String);

/// Error returned for a text that is not a label of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyLabelError {
    /// The label is empty, too long, or has a space at either end.
    #[error("a label of a key has 1 to 64 printable characters and no space at either end")]
    Shape,
    /// The label has a character that makes it look like another one.
    #[error("in a label of a key, {0}")]
    Hidden(#[from] HiddenCharacter),
}

impl KeyLabel {
    /// Returns the label as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for KeyLabel {
    type Err = KeyLabelError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        check_name(text)?;
        if (1..=64).contains(&text.chars().count()) && text.trim() == text {
            Ok(Self(text.to_owned()))
        } else {
            Err(KeyLabelError::Shape)
        }
    }
}

impl fmt::Display for KeyLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_printable_and_trimmed() {
        for label in ["backend", "Claim server (EU)", "クエスト"] {
            assert_eq!(label.parse::<KeyLabel>().unwrap().as_str(), label);
        }
        for label in ["", " backend", "backend ", &"x".repeat(65)] {
            assert_eq!(
                label.parse::<KeyLabel>(),
                Err(KeyLabelError::Shape),
                "{label:?}"
            );
        }
        assert!(matches!(
            "a\u{202e}b".parse::<KeyLabel>(),
            Err(KeyLabelError::Hidden(_))
        ));
    }
}
