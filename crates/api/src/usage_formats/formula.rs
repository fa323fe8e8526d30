//! Protection against formula injection in spreadsheets.

use std::borrow::Cow;

const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Prefixes a text that a spreadsheet would evaluate as a formula with an apostrophe ([CSV
/// injection](https://owasp.org/www-community/attacks/CSV_Injection)). A text that already has such a prefix gets another
/// apostrophe, so that [`without_formula_guard`] restores the original text.
pub fn formula_guard(text: &str) -> Cow<'_, str> {
    if text.trim_start_matches('\'').starts_with(FORMULA) {
        format!("'{text}").into()
    } else {
        text.into()
    }
}

/// Removes the apostrophe that [`formula_guard`] added to a text.
pub fn without_formula_guard(text: &str) -> &str {
    let unguarded_text = text
        .strip_prefix('\'')
        .filter(|unquoted_text| unquoted_text.trim_start_matches('\'').starts_with(FORMULA));
    unguarded_text.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn guarded_cell_is_read_back(text in "['=+@a\\-\t]{0,6}") {
            let guarded_text = formula_guard(&text);
            prop_assert!(!guarded_text.starts_with(FORMULA));
            prop_assert_eq!(without_formula_guard(&guarded_text), text.as_str());
        }
    }
}
