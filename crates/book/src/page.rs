//! HTML documents around the contents of pages.

use crate::markdown::Rendered;
use crate::path;
use crate::summary::{Chapter, Summary};
use askama::Template;

/// Parts of the table of contents whose pages are open beside a page.
pub(crate) struct NavPart {
    title: String,
    is_open: bool,
    items: Vec<NavItem>,
}

/// Link of the table of contents.
pub(crate) struct NavItem {
    title: String,
    address: String,
    is_current: bool,
    children: Vec<NavItem>,
}

/// Layout of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// First page, without the table of contents beside it.
    Landing,
    /// Page of the table of contents.
    Page,
    /// Search results, which the script fills in.
    Search,
}

/// Heading of a page, for its list of contents.
pub(crate) struct TocItem<'a> {
    anchor: &'a str,
    heading: &'a str,
    is_nested: bool,
}

/// Document with a page.
#[derive(Template)]
#[template(path = "page.html")]
pub(crate) struct Document<'a> {
    pub(crate) layout: Layout,
    /// Relative path of the directory of the site, with a slash at its end, or empty.
    pub(crate) root: &'a str,
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    pub(crate) part: &'a str,
    pub(crate) content: &'a str,
    /// File name of the Markdown of the page.
    pub(crate) markdown_path: Option<&'a str>,
    pub(crate) nav: Vec<NavPart>,
    pub(crate) toc: Vec<TocItem<'a>>,
    pub(crate) previous: Option<NavItem>,
    pub(crate) next: Option<NavItem>,
}

/// Returns the table of contents for the page of `current`, which is at `page`. Pages below a chapter are listed beside it and beside
/// each other only.
pub(crate) fn navigation(summary: &Summary, current: &str, root: &str) -> Vec<NavPart> {
    let item = |chapter: &Chapter, children| nav_item(chapter, root, current, children);
    let parts = summary.parts.iter().map(|part| {
        let items = part.chapters.iter().map(|chapter| {
            let is_shown = chapter.flattened().any(|page| page.source == current);
            let children = if is_shown {
                chapter.children.as_slice()
            } else {
                &[]
            };
            item(
                chapter,
                children
                    .iter()
                    .map(|child| item(child, Vec::new()))
                    .collect(),
            )
        });
        let is_open = part
            .chapters
            .iter()
            .flat_map(Chapter::flattened)
            .any(|page| page.source == current);
        NavPart {
            title: part.title.clone(),
            is_open,
            items: items.collect(),
        }
    });
    parts.collect()
}

/// Returns the link to a chapter.
pub(crate) fn nav_item(
    chapter: &Chapter,
    root: &str,
    current: &str,
    children: Vec<NavItem>,
) -> NavItem {
    NavItem {
        title: chapter.title.clone(),
        address: format!("{root}{}", path::page_of(&path::in_site(&chapter.source))),
        is_current: chapter.source == current,
        children,
    }
}

/// Returns the headings of the second level, and of the third if the page has few.
pub(crate) fn contents(page: &Rendered) -> Vec<TocItem<'_>> {
    const MAX_NESTED: usize = 25;
    let nested_count = page
        .sections
        .iter()
        .filter(|section| section.level == 3)
        .count();
    let deepest = if nested_count > MAX_NESTED { 2 } else { 3 };
    let sections = page
        .sections
        .iter()
        .filter(|section| (2..=deepest).contains(&section.level));
    sections
        .map(|section| TocItem {
            anchor: &section.anchor,
            heading: &section.heading,
            is_nested: section.level == 3,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::render;

    fn summary() -> Summary {
        let text = "# Summary\n\n# Guides\n\n- [A](guides/a.md)\n  - [B](guides/a/b.md)\n\n# Project\n\n- [C](c.md)\n";
        Summary::parse(text).unwrap()
    }

    #[test]
    fn the_part_of_the_page_is_open_and_pages_below_another_chapter_are_not_listed() {
        let nav = navigation(&summary(), "docs/c.md", "");
        assert_eq!(
            nav.iter().map(|part| part.is_open).collect::<Vec<_>>(),
            [false, true]
        );
        assert!(nav[0].items[0].children.is_empty() && nav[1].items[0].is_current);
        let nav = navigation(&summary(), "docs/guides/a/b.md", "../../");
        let child = &nav[0].items[0].children[0];
        assert!(nav[0].is_open && child.is_current && child.address == "../../guides/a/b.html");
    }

    #[test]
    fn a_long_page_lists_headings_of_the_second_level_only() {
        let text = |count: usize| format!("# A\n\n## B\n\n{}", "### C\n\n".repeat(count));
        assert_eq!(contents(&render(&text(25), str::to_owned)).len(), 26);
        assert_eq!(contents(&render(&text(26), str::to_owned)).len(), 1);
    }
}
