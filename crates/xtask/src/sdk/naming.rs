//! Names in the style of each language.

/// Returns the words of a name in `snake_case`, `camelCase` or `PascalCase`, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in name.chars() {
        if c == '_' || c.is_uppercase() {
            words.push(String::new());
        }
        if let (Some(word), true) = (words.last_mut(), c != '_') {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns a name in `snake_case`.
pub(super) fn snake(name: &str) -> String {
    words(name).join("_")
}

/// Returns a name in `SCREAMING_SNAKE_CASE`.
pub(super) fn screaming(name: &str) -> String {
    snake(name).to_uppercase()
}

/// Returns a name in `PascalCase`.
pub(super) fn pascal(name: &str) -> String {
    words(name).iter().map(|word| capitalised(word)).collect()
}

/// Returns a name in `PascalCase` with the initialisms of Go in capitals.
pub(super) fn go(name: &str) -> String {
    const INITIALISMS: [&str; 5] = ["id", "json", "eoa", "api", "uri"];
    let word = |word: &String| {
        if INITIALISMS.contains(&&**word) {
            word.to_uppercase()
        } else {
            capitalised(word)
        }
    };
    words(name).iter().map(word).collect()
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().collect::<String>() + chars.as_str())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{go, pascal, screaming, snake};

    #[test]
    fn names_follow_the_style_of_each_language() {
        assert_eq!(snake("isBot"), "is_bot");
        assert_eq!(screaming("lookUpBatch"), "LOOK_UP_BATCH");
        assert_eq!(pascal("context_id"), "ContextId");
        assert_eq!(go("context_id"), "ContextID");
        assert_eq!(go("eoa_address"), "EOAAddress");
    }
}
