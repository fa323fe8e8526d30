//! Plain aligned tables.

use super::terminal_columns;
use comfy_table::{CellAlignment, ColumnConstraint, Width, presets};
use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// Minimum width of a narrowed column.
const NARROWEST: u16 = 8;
/// Spaces between columns.
const GAP: u16 = 2;

/// Rows of cells, aligned with spaces.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
    numbers: Vec<usize>,
    narrowed: Vec<usize>,
}

impl Table {
    /// Creates a table with these headings.
    pub(crate) fn new<const N: usize>(headings: [&str; N]) -> Self {
        let mut table = Self::default();
        table.row(headings);
        table
    }

    /// Aligns these columns, counted from 0, to the right, for numbers.
    pub(crate) fn with_numbers(mut self, columns: impl IntoIterator<Item = usize>) -> Self {
        self.numbers.extend(columns);
        self
    }

    /// Narrows these columns, counted from 0, in this order until the table fits the terminal. A truncated cell ends with `…`;
    /// commands accept a truncated id as long as it is unique. Without a terminal nothing is truncated.
    pub(crate) fn with_narrowed(mut self, columns: impl IntoIterator<Item = usize>) -> Self {
        self.narrowed.extend(columns);
        self
    }

    /// Appends a row.
    pub(crate) fn row<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(
            cells
                .into_iter()
                .map(|cell| printable(cell.as_ref()))
                .collect(),
        );
    }

    /// Returns the widths of the columns of a table that is at most `limit` columns wide if narrowing suffices.
    fn widths(&self, table: &comfy_table::Table, limit: Option<u16>) -> Vec<u16> {
        let mut widths = table.column_max_content_widths();
        let Some(limit) = limit else { return widths };
        let gaps = GAP * u16::try_from(widths.len().saturating_sub(1)).unwrap_or(u16::MAX);
        for &column in &self.narrowed {
            let excess = widths
                .iter()
                .sum::<u16>()
                .saturating_add(gaps)
                .saturating_sub(limit);
            if let Some(width) = widths.get_mut(column) {
                *width = (*width).min(width.saturating_sub(excess).max(NARROWEST));
            }
        }
        widths
    }

    /// Formats the table for a terminal with `limit` columns, or without truncation.
    fn render(&self, limit: Option<u16>) -> String {
        let mut table = comfy_table::Table::new();
        table
            .load_style(presets::NOTHING)
            .set_truncation_indicator("…");
        for cells in &self.rows {
            let mut row = comfy_table::Row::from(cells);
            row.max_height(1);
            table.add_row(row);
        }
        let widths = self.widths(&table, limit);
        for (index, (column, width)) in table.column_iter_mut().zip(widths).enumerate() {
            column
                .set_padding((0, GAP))
                .set_constraint(ColumnConstraint::UpperBoundary(Width::Fixed(width + GAP)));
            if self.numbers.contains(&index) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        format!("{}\n", table.trim_fmt())
    }
}

/// Formats the table for standard output.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(terminal_columns()))
    }
}

/// Formats the day of an admin API time as a cell.
pub(crate) fn day(time: &str) -> String {
    time.get(..10).unwrap_or(time).to_owned()
}

/// Formats an admin API time to the minute (UTC) as a cell.
pub(crate) fn minute(time: &str) -> String {
    time.get(..16).unwrap_or(time).replace('T', " ")
}

/// Formats an admin API time to the second (UTC) as a cell.
pub(crate) fn second(time: &str) -> String {
    time.get(..19).unwrap_or(time).replace('T', " ")
}

/// Escapes control characters of untrusted text, so that the terminal does not execute them.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// Formats a list as a cell.
pub(crate) fn list(items: &[String]) -> String {
    if items.is_empty() {
        "-".to_owned()
    } else {
        items.join(", ")
    }
}

/// Formats an optional value as a cell.
pub(crate) fn optional(item: Option<&str>) -> String {
    item.unwrap_or("-").to_owned()
}

/// Formats an enum value of the admin API as a cell.
pub(crate) fn word<T: Serialize>(word: &T) -> String {
    match serde_json::to_value(word) {
        Ok(Value::String(text)) => text,
        Ok(other) => other.to_string(),
        Err(_) => "-".to_owned(),
    }
}

/// Formats a boolean as a cell.
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
        table.row([
            "a long name".to_owned(),
            list(&["https://a.example".to_owned()]),
        ]);
        assert_eq!(
            table.render(None),
            "NAME         ORIGINS\nacme         -\na long name  https://a.example\n"
        );
    }

    #[test]
    fn columns_are_aligned_by_the_width_of_characters_on_a_terminal() {
        let mut table = Table::new(["NAME", "ORIGINS"]);
        table.row(["漢字", "wide"]);
        table.row(["e\u{301}", "combining"]);
        assert_eq!(
            table.render(None),
            "NAME  ORIGINS\n漢字  wide\ne\u{301}     combining\n"
        );
    }

    #[test]
    fn numbers_end_below_each_other() {
        let mut table = Table::new(["WHAT", "AMOUNT"]).with_numbers([1]);
        table.row(["a", "-5.00"]);
        table.row(["bcd", "1200.00"]);
        assert_eq!(
            table.render(None),
            "WHAT   AMOUNT\na       -5.00\nbcd   1200.00\n"
        );
    }

    #[test]
    fn columns_are_narrowed_in_order_until_the_table_fits() {
        let mut table = Table::new(["ID", "NAME", "TEXT"]).with_narrowed([2, 1]);
        table.row(["a".repeat(26), "b".repeat(70), "c".repeat(70)]);
        let text = table.render(Some(100));
        assert!(
            text.lines().all(|line| line.chars().count() <= 100),
            "{text}"
        );
        let row = text.lines().nth(1).unwrap();
        assert!(
            row.contains(&"a".repeat(26)) && row.contains(&format!("{}…", "b".repeat(61))),
            "{row}"
        );
        assert!(row.ends_with(" ccccccc…"), "{row}");
        for wide in [table.render(Some(220)), table.render(None)] {
            assert!(
                wide.contains(&"b".repeat(70))
                    && wide.contains(&"c".repeat(70))
                    && !wide.contains('…'),
                "{wide}"
            );
        }
        let mut short = Table::new(["ID", "TEXT"]).with_narrowed([1]);
        short.row(["a", "c"]);
        assert_eq!(short.render(Some(100)), "ID  TEXT\na   c\n");
        assert_eq!(
            (day("2026-11-25T04:27:01Z"), minute("2026-11-25T04:27:01Z")),
            ("2026-11-25".into(), "2026-11-25 04:27".into())
        );
    }

    #[test]
    fn control_characters_cannot_drive_the_terminal() {
        assert_eq!(printable("a\u{1b}[2Jb\n"), "a\\u{1b}[2Jb\\n");
    }
}
