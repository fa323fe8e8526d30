//! Links of pages: their targets in the repository, and their replacement in Markdown.

use crate::path;
use crate::tree::{SourceTree, is_markdown};
use pulldown_cmark::{Event, Options, Parser, Tag};

/// Markdown extensions of the pages.
pub(crate) const OPTIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH);

/// Target of a link.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Page with its source, and the fragment with `#`, if any.
    Page(String, String),
    /// Other file of the repository.
    File(String),
    /// Address of another site, or a file that does not exist.
    Other,
}

/// Resolves a link of the page `from`. A directory is its `README.md`, which may be generated; an OpenAPI document is its page.
pub(crate) fn resolve(tree: &SourceTree, from: &str, target: &str) -> Target {
    if target.contains("://") || target.starts_with("mailto:") {
        return Target::Other;
    }
    let (file, fragment) = target
        .find('#')
        .map_or((target, ""), |at| target.split_at(at));
    if file.is_empty() {
        return Target::Page(from.to_owned(), fragment.to_owned());
    }
    let Some(source) = path::join(path::directory(from), file) else {
        return Target::Other;
    };
    let rendered_page = source
        .strip_suffix(".json")
        .map(|stem| format!("{stem}.md"));
    if let Some(rendered_page) = rendered_page.filter(|page| *page != from && tree.has_file(page)) {
        return Target::Page(rendered_page, fragment.to_owned());
    }
    if tree.has_directory(&source) {
        return Target::Page(format!("{source}/README.md"), fragment.to_owned());
    }
    match tree.has_file(&source) {
        true if is_markdown(&source) => Target::Page(source, fragment.to_owned()),
        true => Target::File(source),
        false => Target::Other,
    }
}

/// Returns the targets of the links and images of a page.
pub(crate) fn targets(markdown: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for event in Parser::new_ext(markdown, OPTIONS) {
        if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event {
            targets.push(dest_url.into_string());
        }
    }
    targets
}

/// Replaces the targets of inline links and images for which `map` returns another one.
pub(crate) fn map_links(markdown: &str, mut map: impl FnMut(&str) -> Option<String>) -> String {
    let mut changes = Vec::new();
    for (event, range) in Parser::new_ext(markdown, OPTIONS).into_offset_iter() {
        let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event else {
            continue;
        };
        let link_end = format!("]({dest_url}");
        let start = markdown[range.clone()]
            .rfind(&link_end)
            .map(|at| range.start + at + 2);
        let (Some(start), Some(target)) = (start, map(&dest_url)) else {
            continue;
        };
        changes.push((start, start + dest_url.len(), target));
    }
    let mut text = markdown.to_owned();
    changes.sort_unstable();
    for (start, end, target) in changes.into_iter().rev() {
        text.replace_range(start..end, &target);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_of_links_and_images_are_replaced_and_code_is_not() {
        let text = "[a](b.md) `[a](b.md)` ![c](d.png) [e](f.md#g)\n\n```\n[a](b.md)\n```\n";
        let mapped_text = map_links(text, |target| {
            (target != "d.png").then(|| format!("../{target}"))
        });
        assert_eq!(
            mapped_text,
            "[a](../b.md) `[a](b.md)` ![c](d.png) [e](../f.md#g)\n\n```\n[a](b.md)\n```\n"
        );
        assert_eq!(targets(text), ["b.md", "d.png", "f.md#g"]);
    }

    #[test]
    fn a_target_is_a_page_a_file_or_elsewhere() {
        let mut tree = SourceTree::new(env!("CARGO_MANIFEST_DIR"));
        tree.insert("docs/api.md".to_owned(), String::new());
        let to = |target| resolve(&tree, "docs/api.md", target);
        assert_eq!(
            to("#a"),
            Target::Page("docs/api.md".to_owned(), "#a".to_owned())
        );
        assert_eq!(
            to("../README.md#b"),
            Target::Page("README.md".to_owned(), "#b".to_owned())
        );
        assert_eq!(
            to("../src"),
            Target::Page("src/README.md".to_owned(), String::new())
        );
        assert_eq!(to("../Cargo.toml"), Target::File("Cargo.toml".to_owned()));
        for elsewhere in [
            "https://a.example",
            "mailto:a@b.example",
            "missing.md",
            "../../README.md",
        ] {
            assert_eq!(to(elsewhere), Target::Other, "{elsewhere}");
        }
        let api = Target::Page("docs/api.md".to_owned(), String::new());
        assert_eq!(resolve(&tree, "docs/guide.md", "api.json"), api);
    }
}
