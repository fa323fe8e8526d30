//! Hidden characters, which make a text look like another one.

use std::fmt;

/// Hidden character, which is rejected in text that one operator types and another reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub struct HiddenCharacter(pub char);

impl fmt::Display for HiddenCharacter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if is_bidirectional(self.0) {
            "reorders the text around it"
        } else {
            "is not visible"
        };
        write!(f, "U+{:04X} {kind}; leave it out", u32::from(self.0))
    }
}

/// Verifies that every character of a text is visible and that none reorders others.
///
/// A valid text is displayed as it is stored. Rejected are control characters, which a terminal executes, bidirectional
/// controls ([UAX 9](https://www.unicode.org/reports/tr9/), section 2), line separators, and format characters without
/// a glyph. Joiners (U+200C, U+200D) and variation selectors are accepted: Persian, Indic scripts and emoji need them.
pub fn check_text(text: &str) -> Result<(), HiddenCharacter> {
    text.chars()
        .find(|&c| is_hidden(c))
        .map_or(Ok(()), |c| Err(HiddenCharacter(c)))
}

/// Verifies a name: as [`check_text`] does, and without joiners and variation selectors.
///
/// Two names that differ only in these characters could have the same appearance.
pub fn check_name(text: &str) -> Result<(), HiddenCharacter> {
    text.chars()
        .find(|&c| is_hidden(c) || is_joiner(c))
        .map_or(Ok(()), |c| Err(HiddenCharacter(c)))
}

const fn is_bidirectional(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns `true` for control characters, default-ignorable characters and line separators.
pub(super) fn is_hidden(c: char) -> bool {
    c.is_control()
        || is_bidirectional(c)
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}')
}

pub(super) const fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bidirectional_controls_are_rejected() {
        let controls = "\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}\u{200e}\u{200f}\u{61c}";
        for control in controls.chars() {
            let text = format!("acme{control}evil");
            let error = HiddenCharacter(control);
            assert_eq!(
                (check_text(&text), check_name(&text)),
                (Err(error), Err(error))
            );
            let message = error.to_string();
            assert!(
                message.starts_with(&format!("U+{:04X} reorders", u32::from(control))),
                "{message}"
            );
        }
    }

    #[test]
    fn invisible_characters_are_rejected() {
        for (hidden, name) in [
            ('\u{1b}', "U+001B"),
            ('\n', "U+000A"),
            ('\u{85}', "U+0085"),
            ('\u{ad}', "U+00AD"),
            ('\u{200b}', "U+200B"),
            ('\u{2060}', "U+2060"),
            ('\u{2028}', "U+2028"),
            ('\u{feff}', "U+FEFF"),
            ('\u{3164}', "U+3164"),
            ('\u{e0041}', "U+E0041"),
        ] {
            let error = check_text(&format!("a{hidden}b")).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("{name} is not visible; leave it out")
            );
        }
    }

    #[test]
    fn text_of_every_script_is_accepted() {
        for text in [
            "",
            "acme",
            "B\u{fc}cher & Co.",
            "\u{30af}\u{30a8}\u{30b9}\u{30c8}",
            "\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
            "\u{645}\u{631}\u{62d}\u{628}\u{627}",
        ] {
            assert_eq!(
                (check_text(text), check_name(text)),
                (Ok(()), Ok(())),
                "{text}"
            );
        }
    }

    #[test]
    fn joiners_are_rejected_in_names() {
        for text in [
            "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}",
            "\u{1f469}\u{200d}\u{1f680}",
            "\u{2764}\u{fe0f}",
        ] {
            assert_eq!(check_text(text), Ok(()));
            assert!(check_name(text).is_err());
        }
    }
}
