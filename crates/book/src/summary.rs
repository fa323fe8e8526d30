//! Table of contents: `docs/SUMMARY.md`, in the format of mdBook.

use crate::path;

/// Parts of the table of contents, in their order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) parts: Vec<Part>,
}

/// Chapters under a heading; those before the first heading have no title.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) title: String,
    pub(crate) chapters: Vec<Chapter>,
}

/// Page with the pages below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chapter {
    pub(crate) title: String,
    /// Path of the source in the repository.
    pub(crate) source: String,
    pub(crate) children: Vec<Chapter>,
}

impl Chapter {
    /// Creates a chapter without pages below it.
    pub(crate) fn new(title: impl Into<String>, source: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            source: source.into(),
            children: Vec::new(),
        }
    }

    /// Returns the chapter and those below it.
    pub(crate) fn flattened(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.children)
    }
}

impl Summary {
    /// Parses the text. Its first heading is the title of the file. An indented item is below the item before it.
    ///
    /// # Errors
    ///
    /// Returns the first line that is neither a heading nor a link.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut parts = vec![Part::default()];
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let title = lines.next().filter(|line| line.starts_with("# "));
        title.ok_or("the first line is not a title")?;
        for line in lines {
            if let Some(title) = line.strip_prefix("# ") {
                parts.push(Part {
                    title: title.trim().to_owned(),
                    chapters: Vec::new(),
                });
                continue;
            }
            let chapter = parse_chapter(line).ok_or_else(|| format!("not a link: {line}"))?;
            let last = parts
                .last_mut()
                .map(|part| &mut part.chapters)
                .ok_or("no part")?;
            if line.starts_with(' ') {
                last.last_mut()
                    .ok_or_else(|| format!("below no chapter: {line}"))?
                    .children
                    .push(chapter);
            } else {
                last.push(chapter);
            }
        }
        parts.retain(|part| !part.chapters.is_empty());
        Ok(Self { parts })
    }

    /// Returns all chapters in the order of reading.
    pub(crate) fn chapters(&self) -> impl Iterator<Item = &Chapter> {
        self.parts
            .iter()
            .flat_map(|part| &part.chapters)
            .flat_map(Chapter::flattened)
    }

    /// Returns the chapters that are not below another one.
    pub(crate) fn top_chapters_mut(&mut self) -> impl Iterator<Item = &mut Chapter> {
        self.parts.iter_mut().flat_map(|part| &mut part.chapters)
    }
}

/// Parses `- [title](path)` or `[title](path)`. Paths are relative to `docs`.
fn parse_chapter(item: &str) -> Option<Chapter> {
    let link = item
        .trim()
        .trim_start_matches("- ")
        .strip_prefix('[')?
        .strip_suffix(')')?;
    let (title, target) = link.split_once("](")?;
    Some(Chapter::new(title, path::join("docs", target)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_chapters_and_chapters_have_pages_below() {
        let text =
            "# Summary\n\n[Home](README.md)\n\n# Guides\n\n- [A](guides/a.md)\n  - [B](../b.md)\n";
        let summary = Summary::parse(text).unwrap();
        let sources: Vec<_> = summary
            .chapters()
            .map(|chapter| chapter.source.as_str())
            .collect();
        assert_eq!(sources, ["docs/README.md", "docs/guides/a.md", "b.md"]);
        assert_eq!(summary.parts[1].title, "Guides");
        assert_eq!(
            summary.parts[1].chapters[0].children,
            [Chapter::new("B", "b.md")]
        );
    }

    #[test]
    fn a_line_without_link_is_named() {
        assert_eq!(
            Summary::parse("# Summary\n- A"),
            Err("not a link: - A".to_owned())
        );
        assert_eq!(
            Summary::parse("# Summary\n  - [A](a.md)"),
            Err("below no chapter:   - [A](a.md)".to_owned())
        );
        assert!(Summary::parse("- [A](a.md)").is_err());
    }
}
