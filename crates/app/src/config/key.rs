//! Names of configuration keys: `section.key`, or `list[0].key` in a list of tables, counted from 0.

/// Returns the name of a member of the table `parent`, which is empty for the file itself. An ambiguous member name is quoted.
pub(super) fn member(parent: &str, name: &str) -> String {
    let plain = name
        .chars()
        .all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    let name = if plain {
        name.to_owned()
    } else {
        format!("{name:?}")
    };
    if parent.is_empty() {
        name
    } else {
        format!("{parent}.{name}")
    }
}

/// Returns the name of an element of the list `parent`.
pub(super) fn element(parent: &str, index: usize) -> String {
    format!("{parent}[{index}]")
}

/// Replaces every element index in the key by `index`.
pub(super) fn with_index(key: &str, index: &str) -> String {
    let mut parts = key.split('[');
    let mut key = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let suffix = part.split_once(']').map_or(part, |(_, rest)| rest);
        key.extend(["[", index, "]", suffix]);
    }
    key
}

/// Returns `true` if `key` is `outer_key` or a part of it.
pub(super) fn is_within(key: &str, outer_key: &str) -> bool {
    key.strip_prefix(outer_key)
        .is_some_and(|suffix| suffix.is_empty() || suffix.starts_with(['.', '[']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn member_and_element_names_are_paths() {
        assert_eq!(member("", "server"), "server");
        assert_eq!(member(&element("a.b", 2), "c"), "a.b[2].c");
        assert_eq!(member("a", "b[0].c"), "a.\"b[0].c\"");
        assert_eq!(with_index("a[12].b[3].c", "0"), "a[0].b[0].c");
        assert_eq!(with_index("a.b", "0"), "a.b");
    }

    #[test]
    fn key_is_within_its_ancestors() {
        assert!(is_within("a.b", "a") && is_within("a[0]", "a") && is_within("a", "a"));
        assert!(!is_within("ab", "a") && !is_within("a", "a.b"));
    }
}
