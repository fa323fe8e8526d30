//! Tables: aligned for a terminal, and in Markdown.

use comfy_table::CellAlignment::{Left, Right};
use comfy_table::{Table, presets};

/// Formats rows with aligned columns.
///
/// The columns in `texts`, counted from 0, are aligned to the left, the others, which are numbers, to the right.
pub fn aligned(rows: &[Vec<String>], texts: &[usize]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        column.set_cell_alignment(if texts.contains(&index) { Left } else { Right });
    }
    table.trim_fmt()
}

/// Formats rows as a table in Markdown.
///
/// Cells are not padded, as those of `comfy_table` would be, so that a longer cell changes one line of a committed page.
pub fn markdown<const N: usize>(
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rows = rows.into_iter().map(|row| line(&row)).collect::<String>();
    format!(
        "{}|{}\n{rows}",
        line(&head.map(str::to_owned)),
        "---|".repeat(N)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells<const N: usize>(cells: [&str; N]) -> [String; N] {
        cells.map(str::to_owned)
    }

    #[test]
    fn texts_are_left_aligned_and_numbers_right_aligned() {
        let rows = [
            ["", "a second", "why"],
            ["lookup", "5", "x"],
            ["a", "20,000", ""],
        ]
        .map(|row| cells(row).to_vec());
        assert_eq!(
            aligned(&rows, &[0, 2]),
            "        a second  why\nlookup         5  x\na         20,000"
        );
    }

    #[test]
    fn markdown_has_a_line_for_each_row() {
        assert_eq!(
            markdown(["a", "b"], [cells(["1", "2"])]),
            "| a | b |\n|---|---|\n| 1 | 2 |\n"
        );
    }
}
