//! Names that one operator types and another reads: of admin tokens, API keys, users and passkeys.

use super::plain_text::{HiddenCharacter, check_name};
use std::fmt;
use std::str::FromStr;

/// Maximum length of a name, in characters.
const MAX: usize = 64;

/// Error returned for a text that is not a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VisibleNameError {
    /// The name is empty, too long, or has a space at either end.
    #[error("{0} has 1 to 64 printable characters and no space at either end")]
    Shape(&'static str),
    /// The name has a character that makes it look like another one.
    #[error("in {0}, {1}")]
    Hidden(&'static str, HiddenCharacter),
}

macro_rules! visible_name {
    ($(#[$meta:meta])* $name:ident, $kind:literal) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Returns the name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = VisibleNameError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                check_visible_name($kind, text)?;
                Ok(Self(text.to_owned()))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

visible_name! {
    /// Name of an admin token: 1 to 64 visible characters, no space at either end. The audit log identifies the actor by
    /// it.
    AdminTokenName, "the name of an admin token"
}
visible_name! {
    /// Operator's label of an API key: 1 to 64 visible characters, no space at either end. Labels need not be unique.
    KeyLabel, "a label of a key"
}
visible_name! {
    /// Name of a user: 1 to 64 visible characters, no space at either end. The audit log identifies the actor by it.
    UserName, "the name of a user"
}
visible_name! {
    /// User's label of a passkey: 1 to 64 visible characters, no space at either end. Labels need not be unique.
    PasskeyLabel, "the label of a passkey"
}

impl UserName {
    /// Returns `true` if both names are equal apart from upper and lower case.
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.0.to_lowercase() == other.0.to_lowercase()
    }
}

fn check_visible_name(kind: &'static str, text: &str) -> Result<(), VisibleNameError> {
    check_name(text).map_err(|character| VisibleNameError::Hidden(kind, character))?;
    if (1..=MAX).contains(&text.chars().count()) && text.trim() == text {
        Ok(())
    } else {
        Err(VisibleNameError::Shape(kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_visible_trimmed_and_short() {
        for name in ["ci deploy", "Claim server (EU)", "クエスト"] {
            assert_eq!(name.parse::<AdminTokenName>().unwrap().as_str(), name);
            assert_eq!(name.parse::<KeyLabel>().unwrap().to_string(), name);
        }
        for bad in ["", " ci", "ci ", &"x".repeat(65)] {
            assert_eq!(
                bad.parse::<UserName>(),
                Err(VisibleNameError::Shape("the name of a user")),
                "{bad:?}"
            );
        }
        let error = "c\u{202e}i".parse::<AdminTokenName>().unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with("in the name of an admin token, U+202E "),
            "{text}"
        );
    }

    #[test]
    fn user_names_are_compared_without_case() {
        let name = |text: &str| text.parse::<UserName>().unwrap();
        assert!(name("Ada Ölund").is_same_as(&name("ada öLUND")));
        assert!(!name("Ada").is_same_as(&name("Ada 2")));
    }
}
