//! Skipped tests that CI permits.

/// Texts, one a line, of which a permitted skip contains one; see the head of the file.
const PERMITTED: &str = include_str!("../../../.config/permitted-skips.txt");

/// Returns the skips that no line of the list permits.
pub(crate) fn unexpected<'a>(skips: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    skips
        .filter(|skip| !permitted_by(PERMITTED, skip))
        .collect()
}

fn permitted_by(list: &str, skip: &str) -> bool {
    let mut texts = list
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    texts.any(|text| skip.contains(text))
}

#[cfg(test)]
mod tests {
    use super::permitted_by;

    #[test]
    fn skip_is_permitted_by_its_text() {
        let list = "# A comment\n\nno server here\n";
        assert!(permitted_by(list, "a_test: no server here"));
        assert!(!permitted_by(list, "a_test: no disk here"));
        assert!(!permitted_by(list, "A comment"));
    }
}
