//! Positions of keys in a TOML file.

use super::key::{element, member};
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Line of every key, table and element of a file.
#[derive(Debug, Clone, Default)]
pub(super) struct LineIndex(BTreeMap<String, usize>);

impl LineIndex {
    /// Parses the text of a file; the index is empty if the text is not TOML.
    pub(super) fn parse(text: &str) -> Self {
        let mut finder = Finder {
            ends: text.match_indices('\n').map(|(at, _)| at).collect(),
            found: BTreeMap::new(),
        };
        if let Ok(file) = DeTable::parse(text) {
            finder.table("", file.get_ref());
        }
        Self(finder.found)
    }

    /// Returns the line, from 1, on which `key` is set or its table begins.
    pub(super) fn line_of(&self, key: &str) -> Option<usize> {
        self.0.get(key).copied()
    }
}

/// Returns the line and the message of every syntax error in `text`. A number that no key can hold is one, too.
pub(super) fn find_syntax_errors(text: &str) -> Vec<(usize, String)> {
    let ends: Vec<_> = text.match_indices('\n').map(|(at, _)| at).collect();
    let line_of = |at: usize| ends.partition_point(|end| *end < at) + 1;
    let (table, errors) = DeTable::parse_recoverable(text);
    let error = |error: &toml::de::Error| {
        (
            line_of(error.span().map_or(0, |span| span.start)),
            error.message().replace('\n', ", "),
        )
    };
    let mut diagnostics: Vec<_> = errors.iter().map(error).collect();
    let mut numbers = Vec::new();
    oversized(table.get_ref().values(), &mut numbers);
    diagnostics.extend(
        numbers
            .into_iter()
            .map(|at| (line_of(at), "the number is too large".to_owned())),
    );
    diagnostics
}

/// Collects the positions of integers with more than 64 bits.
fn oversized<'a>(
    values: impl Iterator<Item = &'a Spanned<DeValue<'a>>>,
    positions: &mut Vec<usize>,
) {
    for value in values {
        match value.get_ref() {
            DeValue::Integer(number)
                if i64::from_str_radix(number.as_str(), number.radix()).is_err() =>
            {
                positions.push(value.span().start);
            }
            DeValue::Table(table) => oversized(table.values(), positions),
            DeValue::Array(items) => oversized(items.iter(), positions),
            _ => {}
        }
    }
}

struct Finder {
    /// Positions of the line ends.
    ends: Vec<usize>,
    found: BTreeMap<String, usize>,
}

impl Finder {
    fn table(&mut self, name: &str, table: &DeTable<'_>) {
        for (key, value) in table {
            let name = member(name, key.get_ref());
            self.add(&name, key.span().start);
            self.value(&name, value);
        }
    }

    fn value(&mut self, name: &str, value: &Spanned<DeValue<'_>>) {
        match value.get_ref() {
            DeValue::Table(table) => self.table(name, table),
            DeValue::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let name = element(name, index);
                    self.add(&name, item.span().start);
                    self.value(&name, item);
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, name: &str, at: usize) {
        let line = self.ends.partition_point(|end| *end < at) + 1;
        self.found.insert(name.to_owned(), line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_in_sections_dotted_and_inline() {
        let text = "log.json = true\n\n[server]\n# a comment\nlisten = \"x\"\n[limits]\n  enabled = false\n";
        let lines = LineIndex::parse(text);
        assert_eq!(lines.line_of("log.json"), Some(1));
        assert_eq!(lines.line_of("server"), Some(3));
        assert_eq!(lines.line_of("server.listen"), Some(5));
        assert_eq!(lines.line_of("limits.enabled"), Some(7));
        assert_eq!(lines.line_of("server.workers"), None);
        assert_eq!(
            LineIndex::parse("server = { lisen = 1 }").line_of("server.lisen"),
            Some(1)
        );
    }

    #[test]
    fn elements_are_found_with_headers_of_their_own_and_in_a_row() {
        let headers = LineIndex::parse("[a]\nb = 1\n\n[[a.list]]\nx = 1\n\n[[a.list]]\ny = 2\n");
        assert_eq!(
            ["a.list[0]", "a.list[1]", "a.list[1].y"].map(|key| headers.line_of(key)),
            [Some(4), Some(7), Some(8)]
        );
        let inline = LineIndex::parse("[a]\nlist = [\n  { x = 1 },\n  { y = 2 },\n]\n");
        assert_eq!(
            ["a.list[0].x", "a.list[1]", "a.list[1].y"].map(|key| inline.line_of(key)),
            [Some(3), Some(4), Some(4)]
        );
    }

    #[test]
    fn invalid_toml_has_no_line_index() {
        assert_eq!(LineIndex::parse("[a\nb = 1").line_of("a"), None);
    }
}
