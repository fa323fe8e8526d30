//! `llms.txt`: the index of all pages for language models, after llmstxt.org.

use std::fmt::Write as _;

/// Longest description of a page, in bytes.
const MAX_DESCRIPTION: usize = 200;

/// Returns the first sentences of a text that fit one line of the index.
pub(crate) fn description(lead: &str) -> String {
    let lead = lead.split_whitespace().collect::<Vec<_>>().join(" ");
    if lead.len() <= MAX_DESCRIPTION {
        return lead.trim_end_matches(':').to_owned();
    }
    let end = lead.floor_char_boundary(MAX_DESCRIPTION);
    let head = &lead[..end];
    match head.rfind(". ") {
        Some(at) => head[..=at].to_owned(),
        None => format!(
            "{}…",
            head.rsplit_once(' ').map_or(head, |(words, _)| words)
        ),
    }
}

/// Page of the index.
pub(crate) struct LlmsEntry<'a> {
    pub(crate) part: &'a str,
    pub(crate) title: &'a str,
    /// Path of its Markdown.
    pub(crate) markdown_path: &'a str,
    pub(crate) description: &'a str,
}

/// Returns the index. Entries of the same part follow each other.
pub(crate) fn index<'a>(summary: &str, entries: impl Iterator<Item = LlmsEntry<'a>>) -> String {
    let mut text = format!("# Voight\n\n> {summary}\n");
    let mut part = None;
    for entry in entries {
        if part != Some(entry.part) {
            part = Some(entry.part);
            let title = if entry.part.is_empty() {
                "Start"
            } else {
                entry.part
            };
            let _ = write!(text, "\n## {title}\n\n");
        }
        let description = if entry.description.is_empty() {
            entry.title
        } else {
            entry.description
        };
        let _ = writeln!(
            text,
            "- [{}]({}): {description}",
            entry.title, entry.markdown_path
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_one_line_below_its_part() {
        let entries = [
            ("", "Home", "index.md", "All."),
            ("Guides", "A", "guides/a.md", ""),
        ];
        let entries = entries.map(|(part, title, markdown_path, description)| LlmsEntry {
            part,
            title,
            markdown_path,
            description,
        });
        let text = index("A service.", entries.into_iter());
        assert_eq!(
            text,
            "# Voight\n\n> A service.\n\n## Start\n\n- [Home](index.md): All.\n\n## Guides\n\n- [A](guides/a.md): A\n"
        );
    }

    #[test]
    fn a_description_ends_with_a_sentence_or_a_word() {
        assert_eq!(description("One.\nTwo:"), "One. Two");
        assert_eq!(description(&format!("One. {}", "x".repeat(300))), "One.");
        assert_eq!(description(&format!("One {}", "é".repeat(200))), "One…");
    }
}
