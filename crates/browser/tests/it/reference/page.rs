//! Parses the page.

pub(crate) const PAGE: &str = include_str!("../../../../../docs/reference/component.md");

/// Returns the text between two markers.
pub(crate) fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text
        .split_once(start)
        .unwrap_or_else(|| panic!("there is no {start:?}"));
    rest.split_once(end)
        .unwrap_or_else(|| panic!("nothing ends with {end:?} after {start:?}"))
        .0
}

/// Returns a section of the page with its subsections.
pub(crate) fn section(heading: &str) -> &'static str {
    let level = format!("\n{} ", heading.split(' ').next().unwrap_or_default());
    let (_, rest) = PAGE
        .split_once(&format!("\n{heading}\n"))
        .unwrap_or_else(|| panic!("the page has no {heading:?}"));
    rest.split_once(&level).map_or(rest, |(section, _)| section)
}

/// Returns a column of the tables in a text, without headers and backticks.
pub(crate) fn column(text: &str, number: usize) -> Vec<String> {
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|row| row.split('|').nth(number + 1));
    cells
        .map(|cell| cell.trim().trim_matches('`').to_owned())
        .collect()
}

/// Returns the code spans of a text.
pub(crate) fn words(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}
