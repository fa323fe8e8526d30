//! Quotations of cells in messages.

use std::fmt::{self, Write};
use voight_domain::vocabulary::deceptive_character_name;

/// Number of characters of a cell that a message quotes. A private key, which has 64 digits, is never quoted completely.
const QUOTED_CHARACTERS: usize = 48;
/// Number of names that a message lists.
const LISTED_NAMES: usize = 20;

/// Cell as messages quote it: shortened, with escape sequences for invisible characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotedCell(String);

impl QuotedCell {
    /// Quotes a cell.
    pub fn new(text: &str) -> Self {
        let mut quoted_text = String::from("\"");
        let mut characters = text.chars();
        for character in characters.by_ref().take(QUOTED_CHARACTERS) {
            match character {
                '"' | '\\' => quoted_text.extend(['\\', character]),
                _ if deceptive_character_name(character).is_some() => {
                    quoted_text.extend(character.escape_unicode());
                }
                _ => quoted_text.push(character),
            }
        }
        quoted_text.push('"');
        let more = characters.count();
        if more > 0 {
            // Writing to a string cannot fail.
            let _ = write!(quoted_text, " and {more} more characters");
        }
        Self(quoted_text)
    }
}

impl fmt::Display for QuotedCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Quotes names, separated by commas.
pub(super) fn quoted_list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter();
    let mut list: Vec<_> = names
        .by_ref()
        .take(LISTED_NAMES)
        .map(|name| QuotedCell::new(name).0)
        .collect();
    let more = names.count();
    if more > 0 {
        list.push(format!("and {more} more"));
    }
    list.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_escaped() {
        assert_eq!(
            QuotedCell::new("a\u{a0}\u{200b}\"b").to_string(),
            r#""a\u{a0}\u{200b}\"b""#
        );
    }

    #[test]
    fn long_cells_are_shortened() {
        let key = format!("0x{}", "ab".repeat(32));
        let quoted_text = QuotedCell::new(&key).to_string();
        assert_eq!(
            quoted_text,
            format!("\"{}\" and 18 more characters", &key[..48])
        );
        let names: Vec<_> = (0..25).map(|number| number.to_string()).collect();
        assert!(quoted_list(names.iter().map(String::as_str)).ends_with("\"19\", and 5 more"));
    }
}
