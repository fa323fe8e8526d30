//! Human-readable name of a context.

use std::fmt;
use std::str::FromStr;

/// Title of a context: 1 to 64 letters, digits, `_` or `-`.
///
/// The first and last characters are a letter or digit. The title is part of the context's id, which is used in URLs
/// and front ends; hence the narrow alphabet.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContextTitle(String);

/// Error returned for a text that is not a title.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TitleError {
    /// The text is empty.
    #[error("context_title is empty; give 1 to 64 characters")]
    Empty,
    /// The text has more than 64 characters.
    #[error("context_title is longer than 64 characters")]
    TooLong,
    /// The text has a character outside of `A-Z a-z 0-9 _ -`.
    #[error("context_title may hold only the letters A to Z and a to z, digits, '_' and '-'")]
    Character,
    /// The first or last character is `_` or `-`.
    #[error("context_title must begin and end with a letter or a digit")]
    Edge,
}

impl ContextTitle {
    /// Maximum length of a title, in characters.
    pub const MAX: usize = 64;

    /// Returns the title as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ContextTitle {
    type Err = TitleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (Some(first), Some(last)) = (text.chars().next(), text.chars().next_back()) else {
            return Err(TitleError::Empty);
        };
        if text.chars().count() > Self::MAX {
            return Err(TitleError::TooLong);
        }
        if !text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
        {
            return Err(TitleError::Character);
        }
        if !first.is_ascii_alphanumeric() || !last.is_ascii_alphanumeric() {
            return Err(TitleError::Edge);
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for ContextTitle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn broken_rules_have_distinct_errors() {
        let long = "a".repeat(65);
        for (text, error) in [
            ("", TitleError::Empty),
            (long.as_str(), TitleError::TooLong),
            ("spring quest", TitleError::Character),
            ("spring.quest", TitleError::Character),
            ("été", TitleError::Character),
            ("a\0b", TitleError::Character),
            ("_spring", TitleError::Edge),
            ("spring-", TitleError::Edge),
        ] {
            assert_eq!(text.parse::<ContextTitle>(), Err(error), "{text:?}");
        }
        assert!("a".parse::<ContextTitle>().is_ok());
        assert!("a".repeat(64).parse::<ContextTitle>().is_ok());
    }

    proptest! {
        #[test]
        fn valid_titles_are_unchanged(text in "[A-Za-z0-9]([A-Za-z0-9_-]{0,62}[A-Za-z0-9])?") {
            let title: ContextTitle = text.parse().unwrap();
            prop_assert_eq!(title.as_str(), text);
        }

        #[test]
        fn parser_never_panics(text: String) {
            let _ = text.parse::<ContextTitle>();
        }
    }
}
