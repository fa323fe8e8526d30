//! Where in a TOML file a key is.

use super::key::{element, member};
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The line of every key, table and element of a file.
#[derive(Debug, Clone, Default)]
pub(super) struct Lines(BTreeMap<String, usize>);

impl Lines {
    /// Those of a file with this text; none if it is not TOML.
    pub(super) fn of(text: &str) -> Self {
        let mut finder = Finder { ends: text.match_indices('\n').map(|(at, _)| at).collect(), found: BTreeMap::new() };
        if let Ok(file) = DeTable::parse(text) {
            finder.table("", file.get_ref());
        }
        Self(finder.found)
    }

    /// The line, from 1, on which `key` is set or its table begins.
    pub(super) fn line_of(&self, key: &str) -> Option<usize> {
        self.0.get(key).copied()
    }
}

struct Finder {
    /// Where lines end.
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
        let lines = Lines::of(text);
        assert_eq!(lines.line_of("log.json"), Some(1));
        assert_eq!(lines.line_of("server"), Some(3));
        assert_eq!(lines.line_of("server.listen"), Some(5));
        assert_eq!(lines.line_of("limits.enabled"), Some(7));
        assert_eq!(lines.line_of("server.workers"), None);
        assert_eq!(Lines::of("server = { lisen = 1 }").line_of("server.lisen"), Some(1));
    }

    #[test]
    fn elements_are_found_with_headers_of_their_own_and_in_a_row() {
        let headers = Lines::of("[a]\nb = 1\n\n[[a.list]]\nx = 1\n\n[[a.list]]\ny = 2\n");
        assert_eq!(
            ["a.list[0]", "a.list[1]", "a.list[1].y"].map(|key| headers.line_of(key)),
            [Some(4), Some(7), Some(8)]
        );
        let inline = Lines::of("[a]\nlist = [\n  { x = 1 },\n  { y = 2 },\n]\n");
        assert_eq!(
            ["a.list[0].x", "a.list[1]", "a.list[1].y"].map(|key| inline.line_of(key)),
            [Some(3), Some(4), Some(4)]
        );
    }

    #[test]
    fn what_is_not_toml_has_no_lines() {
        assert_eq!(Lines::of("[a\nb = 1").line_of("a"), None);
    }
}
