//! Name of an admin token.

use super::plain_text::{HiddenCharacter, check_name};
use std::fmt;
use std::str::FromStr;

/// Name of an admin token: 1 to 64 visible characters, no space at either end. The audit log identifies the actor by
/// it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AdminTokenName(String);

/// Error returned for a text that is not a name of an admin token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AdminTokenNameError {
    /// The name is empty, too long, or has a space at either end.
    #[error(
        "the name of an admin token has 1 to 64 printable characters and no space at either end"
    )]
    Shape,
    /// The name has a character that makes it look like another one.
    #[error("in the name of an admin token, {0}")]
    Hidden(#[from] HiddenCharacter),
}

impl AdminTokenName {
    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for AdminTokenName {
    type Err = AdminTokenNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        check_name(text)?;
        let has_shape = (1..=64).contains(&text.chars().count()) && text.trim() == text;
        if has_shape {
            Ok(Self(text.to_owned()))
        } else {
            Err(AdminTokenNameError::Shape)
        }
    }
}

impl fmt::Display for AdminTokenName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_visible_trimmed_and_short() {
        assert_eq!(
            "ci deploy".parse::<AdminTokenName>().unwrap().as_str(),
            "ci deploy"
        );
        for bad in ["", " ci", "ci ", &"x".repeat(65)] {
            assert_eq!(
                bad.parse::<AdminTokenName>(),
                Err(AdminTokenNameError::Shape),
                "{bad:?}"
            );
        }
        let error = "c\u{202e}i"
            .parse::<AdminTokenName>()
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("in the name of an admin token, U+202E "),
            "{error}"
        );
    }
}
