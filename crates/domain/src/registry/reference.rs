//! References to items by a prefix of their id, as commands of operators accept them.

/// Minimum length of a prefix, in characters.
pub const PREFIX_MIN: usize = 4;

/// Maximum number of candidates that an error names.
const NAMED: usize = 8;

/// Error of a reference. `Display` is a clause that follows the name of the reference.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReferenceError {
    /// No id has this prefix.
    #[error("is not a prefix of any id")]
    Unknown,
    /// The text is shorter than [`PREFIX_MIN`].
    #[error("is too short: write at least {PREFIX_MIN} characters of one of {0}")]
    TooShort(Candidates),
    /// Several ids have this prefix.
    #[error("is ambiguous: it may be {0}; write more characters")]
    Ambiguous(Candidates),
}

/// Ids that match an ambiguous reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidates(Vec<String>);

/// Returns the item whose id is `text`, or the only one whose id has this prefix. A trailing `…`, as tables print it
/// after a shortened id, is ignored.
pub fn find_by_prefix<T>(
    text: &str,
    items: impl IntoIterator<Item = T>,
    id: impl Fn(&T) -> String,
) -> Result<T, ReferenceError> {
    let prefix = text.trim_end_matches('…');
    let mut matching: Vec<(String, T)> = Vec::new();
    for item in items {
        let id = id(&item);
        if id == prefix {
            return Ok(item);
        }
        if id.starts_with(prefix) {
            matching.push((id, item));
        }
    }
    let candidates = || Candidates(matching.iter().map(|(id, _)| id.clone()).collect());
    match matching.len() {
        0 => Err(ReferenceError::Unknown),
        _ if prefix.chars().count() < PREFIX_MIN => Err(ReferenceError::TooShort(candidates())),
        1 => matching
            .pop()
            .map(|(_, item)| item)
            .ok_or(ReferenceError::Unknown),
        _ => Err(ReferenceError::Ambiguous(candidates())),
    }
}

/// Returns the only item; rejects several as an ambiguous reference.
pub fn find_only<T>(items: Vec<T>, id: impl Fn(&T) -> String) -> Result<T, ReferenceError> {
    let candidates = Candidates(items.iter().map(id).collect());
    let mut items = items.into_iter();
    match (items.next(), items.next()) {
        (None, _) => Err(ReferenceError::Unknown),
        (Some(item), None) => Ok(item),
        (Some(_), Some(_)) => Err(ReferenceError::Ambiguous(candidates)),
    }
}

impl std::fmt::Display for Candidates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0[..self.0.len().min(NAMED)].join(", "))?;
        match self.0.len().saturating_sub(NAMED) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const IDS: [&str; 3] = ["01k0aaaa", "01k0aabb", "01k1cccc"];

    fn find(text: &str) -> Result<&'static str, String> {
        find_by_prefix(text, IDS, |id| (*id).to_owned()).map_err(|error| error.to_string())
    }

    #[test]
    fn unique_prefix_names_its_item() {
        for text in ["01k1", "01k1cccc", "01k1c…"] {
            assert_eq!(find(text), Ok("01k1cccc"), "{text}");
        }
        assert_eq!(find("01k0aab"), Ok("01k0aabb"));
    }

    #[test]
    fn ambiguous_prefix_lists_candidates() {
        let ambiguous = find("01k0aa").unwrap_err();
        assert!(
            ambiguous.contains("01k0aaaa, 01k0aabb") && !ambiguous.contains("01k1"),
            "{ambiguous}"
        );
        for short in ["", "0", "01k"] {
            let message = find(short).unwrap_err();
            assert!(
                message.contains("at least 4") && message.contains("01k1cccc"),
                "{message}"
            );
        }
        assert_eq!(find("02"), Err("is not a prefix of any id".to_owned()));
    }

    #[test]
    fn exact_id_wins_over_longer_ids() {
        assert_eq!(
            find_by_prefix("abcd", ["abcde", "abcd"], |id| (*id).to_owned()),
            Ok("abcd")
        );
    }

    #[test]
    fn excess_candidates_are_counted() {
        let ids: Vec<String> = (0..20).map(|number| format!("abcd{number:02}")).collect();
        let message = find_by_prefix("abcd", &ids, |id| (*id).clone())
            .unwrap_err()
            .to_string();
        assert!(message.contains("abcd07 and 12 more"), "{message}");
    }

    proptest! {
        #[test]
        fn prefix_resolves_only_if_unique(ids in prop::collection::btree_set("[ab]{4,8}", 1..20), length in 4_usize..8) {
            for id in &ids {
                let prefix = &id[..length.min(id.len())];
                let candidates = ids.iter().filter(|candidate| candidate.starts_with(prefix)).count();
                match find_by_prefix(prefix, &ids, |id| (*id).clone()) {
                    Ok(id) => prop_assert!(candidates == 1 || id == prefix),
                    Err(error) => prop_assert!(candidates > 1 && matches!(error, ReferenceError::Ambiguous(_))),
                }
            }
        }
    }
}
