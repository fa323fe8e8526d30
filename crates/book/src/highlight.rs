//! Colours of code: comments and strings.

use std::fmt::Write as _;

/// Returns the start of a comment in a language, or `None` for a language without colours.
fn comment_start(language: &str) -> Option<&'static str> {
    match language {
        "sh" | "toml" | "yaml" | "conf" | "nginx" => Some("#"),
        "js" | "tsx" | "rust" => Some("//"),
        "sql" => Some("--"),
        // A sequence that JSON does not contain.
        "json" => Some("\u{0}"),
        _ => None,
    }
}

/// Returns the code as HTML.
pub(crate) fn highlight(code: &str, language: &str) -> String {
    let Some(comment) = comment_start(language) else {
        return escape(code);
    };
    let mut html = String::with_capacity(code.len() * 2);
    let mut remaining_code = code;
    let mut previous = '\n';
    while let Some(c) = remaining_code.chars().next() {
        let (length, class) = if remaining_code.starts_with(comment) && previous.is_whitespace() {
            (
                remaining_code.find('\n').unwrap_or(remaining_code.len()),
                Some("c"),
            )
        } else if (c == '"' || (c == '\'' && language != "rust")) && !previous.is_alphanumeric() {
            string_length(remaining_code, c)
                .map_or((c.len_utf8(), None), |length| (length, Some("s")))
        } else {
            (c.len_utf8(), None)
        };
        let (token, after) = remaining_code.split_at(length);
        previous = token.chars().next_back().unwrap_or(previous);
        match class {
            Some(class) => {
                let _ = write!(html, "<span class=\"{class}\">{}</span>", escape(token));
            }
            None => html.push_str(&escape(token)),
        }
        remaining_code = after;
    }
    html
}

/// Returns the length of the string at the start of the code, with its quotes, if it ends.
fn string_length(code: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in code.char_indices().skip(1) {
        if c == quote && !is_escaped {
            return Some(at + 1);
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    None
}

/// Escapes text for HTML, attributes included.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_are_marked() {
        let html = highlight("echo \"a # b\" # c\n", "sh");
        assert_eq!(
            html,
            "echo <span class=\"s\">&quot;a # b&quot;</span> <span class=\"c\"># c</span>\n"
        );
        assert_eq!(highlight("# a\n", "sh"), "<span class=\"c\"># a</span>\n");
    }

    #[test]
    fn an_apostrophe_and_a_fragment_are_neither() {
        assert_eq!(highlight("it's a#b\n", "sh"), "it's a#b\n");
        assert_eq!(highlight("&'a str", "rust"), "&amp;'a str");
    }

    #[test]
    fn text_without_language_is_escaped_only() {
        assert_eq!(highlight("<a> \"b\"", "text"), "&lt;a&gt; &quot;b&quot;");
    }
}
