//! Plain aligned tables.

use comfy_table::{CellAlignment, presets};
use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// Rows of cells, aligned by spaces.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
    numbers: Vec<usize>,
}

impl Table {
    /// A table with these headings.
    pub(crate) fn new<const N: usize>(headings: [&str; N]) -> Self {
        let mut table = Self::default();
        table.row(headings);
        table
    }

    /// The table with these columns, counted from 0, aligned to the right as numbers are.
    pub(crate) fn with_numbers(mut self, columns: impl IntoIterator<Item = usize>) -> Self {
        self.numbers.extend(columns);
        self
    }

    /// Appends a row.
    pub(crate) fn row<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(cells.into_iter().map(|cell| printable(cell.as_ref())).collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING).add_rows(&self.rows);
        for (index, column) in table.column_iter_mut().enumerate() {
            column.set_padding((0, 2));
            if self.numbers.contains(&index) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        writeln!(f, "{}", table.trim_fmt())
    }
}

/// Text of somebody else, with control characters shown instead of obeyed by the terminal.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}

/// A list as a cell.
pub(crate) fn list(items: &[String]) -> String {
    if items.is_empty() { "-".to_owned() } else { items.join(", ") }
}

/// Something that may be absent, as a cell.
pub(crate) fn optional(item: Option<&str>) -> String {
    item.unwrap_or("-").to_owned()
}

/// A word of the admin API, as a cell.
pub(crate) fn word<T: Serialize>(word: &T) -> String {
    match serde_json::to_value(word) {
        Ok(Value::String(text)) => text,
        Ok(other) => other.to_string(),
        Err(_) => "-".to_owned(),
    }
}

/// A truth as a cell.
pub(crate) const fn yes_no(truth: bool) -> &'static str {
    if truth { "yes" } else { "no" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_end_at_their_last_letter() {
        let mut table = Table::new(["NAME", "ORIGINS"]);
        table.row(["acme".to_owned(), list(&[])]);
        table.row(["a long name".to_owned(), list(&["https://a.example".to_owned()])]);
        assert_eq!(table.to_string(), "NAME         ORIGINS\nacme         -\na long name  https://a.example\n");
    }

    #[test]
    fn columns_are_aligned_by_the_width_of_characters_on_a_terminal() {
        let mut table = Table::new(["NAME", "ORIGINS"]);
        table.row(["漢字", "wide"]);
        table.row(["e\u{301}", "combining"]);
        assert_eq!(table.to_string(), "NAME  ORIGINS\n漢字  wide\ne\u{301}     combining\n");
    }

    #[test]
    fn numbers_end_below_each_other() {
        let mut table = Table::new(["WHAT", "AMOUNT"]).with_numbers([1]);
        table.row(["a", "-5.00"]);
        table.row(["bcd", "1200.00"]);
        assert_eq!(table.to_string(), "WHAT   AMOUNT\na       -5.00\nbcd   1200.00\n");
    }

    #[test]
    fn control_characters_cannot_drive_the_terminal() {
        assert_eq!(printable("a\u{1b}[2Jb\n"), "a\\u{1b}[2Jb\\n");
    }
}
