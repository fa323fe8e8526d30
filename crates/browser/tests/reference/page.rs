//! Reading the page.

pub(crate) const PAGE: &str = include_str!("../../../../docs/reference/component.md");

/// What stands between two texts.
pub(crate) fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("there is no {start:?}"));
    rest.split_once(end).unwrap_or_else(|| panic!("nothing ends with {end:?} after {start:?}")).0
}

/// A section of the page, with those below it.
pub(crate) fn section(heading: &str) -> &'static str {
    let level = format!("\n{} ", heading.split(' ').next().unwrap_or_default());
    let (_, rest) = PAGE.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("the page has no {heading:?}"));
    rest.split_once(&level).map_or(rest, |(section, _)| section)
}

/// A column of the tables in a text, without heads and without the marks of code.
pub(crate) fn column(text: &str, number: usize) -> Vec<String> {
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|row| row.split('|').nth(number + 1));
    cells.map(|cell| cell.trim().trim_matches('`').to_owned()).collect()
}

/// What is marked as code in a text.
pub(crate) fn words(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}
