//! Anchors of headings.

use std::collections::HashMap;

/// Returns the anchor of a heading, as code hosts compute it.
pub(crate) fn anchor(heading: &str) -> String {
    let allowed_text = heading
        .trim()
        .chars()
        .filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
    allowed_text
        .collect::<String>()
        .to_lowercase()
        .replace(' ', "-")
}

/// Anchors of one page. A repeated heading gets a number.
#[derive(Default)]
pub(crate) struct Anchors(HashMap<String, usize>);

impl Anchors {
    /// Returns the anchor of the next heading of the page.
    pub(crate) fn next(&mut self, heading: &str) -> String {
        let anchor = anchor(heading);
        let count = self.0.entry(anchor.clone()).or_default();
        *count += 1;
        if *count == 1 {
            anchor
        } else {
            format!("{anchor}-{}", *count - 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchor_has_neither_punctuation_nor_capitals() {
        assert_eq!(
            anchor(" Backend helper (`getVerdict`)"),
            "backend-helper-getverdict"
        );
    }

    #[test]
    fn a_repeated_heading_gets_a_number() {
        let mut anchors = Anchors::default();
        assert_eq!(
            ["A", "a", "B", "A"].map(|heading| anchors.next(heading)),
            ["a", "a-1", "b", "a-2"]
        );
    }
}
