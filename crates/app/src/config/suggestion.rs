//! Suggestions for misspelt keys ("did you mean").

/// Returns the known word most similar to `word`, if the similarity is high enough.
pub(super) fn closest_match<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // The last part is compared too, so that a key in the wrong section is found.
    let last = |key: &str| key.rsplit('.').next().unwrap_or_default().to_owned();
    let likeness =
        |key: &str| strsim::jaro_winkler(word, key).max(strsim::jaro_winkler(&last(word), &last(key)) - 0.02);
    known
        .map(|key| (key, likeness(key)))
        .filter(|(_, alike)| *alike > 0.8)
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(key, _)| key)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 4] = ["server.listen", "server.admin_listen", "log.filter", "limits.enabled"];

    #[test]
    fn a_typing_error_and_a_wrong_section_find_the_key() {
        assert_eq!(closest_match("server.lisen", KNOWN.into_iter()), Some("server.listen"));
        assert_eq!(closest_match("log.enabled", KNOWN.into_iter()), Some("limits.enabled"));
        assert_eq!(closest_match("xyz", KNOWN.into_iter()), None);
    }
}
