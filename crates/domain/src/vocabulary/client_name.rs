//! The name of a client.

use std::fmt;
use std::str::FromStr;

/// A client's unique name: 1 to 64 characters, no control characters, no space at either end.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientName(String);

/// Why text is not a client's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a client's name has 1 to 64 printable characters and no space at either end")]
pub struct ClientNameError;

impl ClientName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ClientName {
    type Err = ClientNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fits = (1..=64).contains(&text.chars().count());
        if fits && text.trim() == text && !text.chars().any(char::is_control) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ClientNameError)
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
        for bad in ["", " acme", "acme ", "ac\nme", long.as_str()] {
            assert_eq!(bad.parse::<ClientName>(), Err(ClientNameError), "{bad:?}");
        }
    }
}
