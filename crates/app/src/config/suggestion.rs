//! Suggestions for misspelt keys ("did you mean").

/// Lowest similarity of a suggestion, from 0 to 1.
const THRESHOLD: f64 = 0.8;
/// Reduction of the similarity of a key in another section.
const OTHER_SECTION: f64 = 0.1;
/// Further reduction for a section without any similarity, which decides between keys of the same name.
const DISSIMILAR_SECTION: f64 = 0.01;

/// Returns the known key most similar to `key`, if the similarity is high enough.
pub(super) fn closest_match<'a>(
    key: &str,
    known: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    known
        .map(|candidate| (candidate, similarity(key, candidate)))
        .filter(|(_, similarity)| *similarity > THRESHOLD)
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(known, _)| known)
}

/// Compares the last parts of two keys. Similar sections only decide between equal names: a common section would make all its
/// keys similar.
fn similarity(a: &str, b: &str) -> f64 {
    let parts = |key| str::rsplit_once(key, '.').unwrap_or(("", key));
    let (section_a, name_a) = parts(a);
    let (section_b, name_b) = parts(b);
    let of_words = f64::midpoint(coverage(name_a, name_b), coverage(name_b, name_a));
    let penalty = if section_a == section_b {
        0.0
    } else {
        OTHER_SECTION + DISSIMILAR_SECTION * (1.0 - strsim::jaro_winkler(section_a, section_b))
    };
    strsim::jaro_winkler(name_a, name_b).max(of_words) - penalty
}

/// Returns the average similarity of each word of `name` to the most similar word of `other_name`.
fn coverage(name: &str, other_name: &str) -> f64 {
    let best = |word: &str| {
        other_name
            .split('_')
            .map(|candidate_word| strsim::jaro_winkler(word, candidate_word))
            .fold(0.0, f64::max)
    };
    let (sum, count) = name
        .split('_')
        .map(best)
        .fold((0.0, 0.0), |(sum, count), best| (sum + best, count + 1.0));
    sum / count
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 4] = [
        "server.listen",
        "server.admin_listen",
        "log.filter",
        "limits.enabled",
    ];

    #[test]
    fn a_key_with_other_words_around_the_same_ones_is_found() {
        let known_keys = ["server.workers", "checks.proof_of_work_bits"];
        assert_eq!(
            closest_match("checks.work_bits", known_keys.into_iter()),
            Some("checks.proof_of_work_bits")
        );
    }

    #[test]
    fn a_typing_error_and_a_wrong_section_find_the_key() {
        assert_eq!(
            closest_match("server.lisen", KNOWN.into_iter()),
            Some("server.listen")
        );
        assert_eq!(
            closest_match("log.enabled", KNOWN.into_iter()),
            Some("limits.enabled")
        );
        let same_names = ["limits.enabled", "outbound.enabled"];
        for known in same_names {
            let misspelt_section = known.replacen(['m', 'b'], "", 1);
            assert_eq!(
                closest_match(&misspelt_section, same_names.into_iter()),
                Some(known)
            );
        }
        assert_eq!(closest_match("xyz", KNOWN.into_iter()), None);
        assert_eq!(
            closest_match("server.max_in_flight", KNOWN.into_iter()),
            None
        );
    }
}
