//! Pages whose figures are generated from result files.

/// Replaces the text between the marks of this name in `page`; `None` if it has no such marks.
pub fn replaced(page: &str, name: &str, text: &str) -> Option<String> {
    let begin = format!("<!-- {name}: begin -->\n");
    let end = format!("<!-- {name}: end -->");
    let (before, rest) = page.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}{text}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn only_text_between_markers_is_replaced() {
        let page = "a\n<!-- x: begin -->\nold\n<!-- x: end -->\nb\n";
        assert_eq!(
            replaced(page, "x", "new\n").unwrap(),
            "a\n<!-- x: begin -->\nnew\n<!-- x: end -->\nb\n"
        );
        assert_eq!(replaced(page, "y", "new\n"), None);
    }
}
