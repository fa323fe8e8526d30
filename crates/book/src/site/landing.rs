//! First page: `docs/README.md`, with the demo, the comparison and the limits of the README of the repository.

use crate::link::map_links;
use crate::markdown::Rendered;
use crate::path;
use crate::tree::SourceTree;
use std::fmt::Write as _;
use std::io;

/// Source of the first page.
pub(super) const PAGE: &str = "docs/README.md";
const README: &str = "README.md";

/// Replaces the first page in the tree by one with the parts of the README.
pub(super) fn add_page(tree: &mut SourceTree) -> io::Result<()> {
    let page = tree.text(PAGE)?;
    let readme = map_links(&tree.text(README)?, |target| {
        let is_file = !target.contains("://") && !target.starts_with('#');
        is_file.then(|| path::relative(PAGE, target))
    });
    tree.insert(PAGE.to_owned(), compose(&page, &readme));
    Ok(())
}

/// Returns the first page: its introduction, the demo of the README, its other sections, and the sections of the README.
fn compose(page: &str, readme: &str) -> String {
    let (introduction, ways) = page.split_once("\n## ").unwrap_or((page, ""));
    let demo = readme
        .find("\n![")
        .map(|at| &readme[at..])
        .unwrap_or_default();
    let demo = demo.split("\n## ").next().unwrap_or_default();
    let sections = ["Comparison", "Limitations"].map(|name| section(readme, name));
    format!(
        "{}\n{}\n\n## {}\n\n{}",
        introduction.trim_end(),
        demo.trim_end(),
        ways.trim_end(),
        sections.join("\n")
    )
}

/// Returns the section with a heading of the second level, with the heading.
fn section(readme: &str, name: &str) -> String {
    let start = format!("\n## {name}\n");
    let body = readme.split_once(&start).map_or("", |(_, rest)| {
        rest.split("\n## ").next().unwrap_or_default()
    });
    format!("## {name}\n{}\n", body.trim_end())
}

/// Returns the HTML of the page: the introduction, the commands of the demo and its picture, then an element for each section.
pub(super) fn sections(page: &Rendered) -> String {
    let mut parts = page.html.split("<h2 ");
    let hero = parts.next().unwrap_or_default();
    let (lead, demo) = hero
        .find("<p><img ")
        .map_or((hero, ""), |at| hero.split_at(at));
    let (picture, commands) = demo.split_once("</p>").unwrap_or_default();
    let title = crate::highlight::escape(&page.title);
    let picture = picture.replacen("<p>", "<p class=\"picture\">", 1);
    let mut html = format!(
        "<section><h1>{title}</h1>\n<div class=\"lead\">{lead}</div>\n<div class=\"commands\">{commands}</div>\n{picture}</p></section>\n"
    );
    for (number, part) in parts.enumerate() {
        let class = if number == 0 { " class=\"ways\"" } else { "" };
        let _ = writeln!(html, "<section{class}><h2 {part}</section>");
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::render;

    const PAGE_TEXT: &str = "# A\n\nLead.\n\n## Ways in\n\n- [B](guides/b.md)\n";
    const README_TEXT: &str = "# V\n\nX.\n\n![Demo](docs/d.png)\n\n```sh\nrun\n```\n\n## Quick start\n\nQ.\n\n## Comparison\n\nC [D](docs/d.md#e).\n\n## Limitations\n\nL.\n\n## More\n\nM.\n";

    #[test]
    fn the_first_page_has_the_demo_the_comparison_and_the_limits() {
        let mut tree = SourceTree::new("absent");
        tree.insert(PAGE.to_owned(), PAGE_TEXT.to_owned());
        tree.insert(README.to_owned(), README_TEXT.to_owned());
        add_page(&mut tree).unwrap();
        let text = "# A\n\nLead.\n\n![Demo](d.png)\n\n```sh\nrun\n```\n\n## Ways in\n\n- [B](guides/b.md)\n\n## Comparison\n\nC [D](d.md#e).\n\n## Limitations\n\nL.\n";
        assert_eq!(tree.text(PAGE).unwrap(), text);
        let html = sections(&render(text, str::to_owned));
        assert!(
            html.starts_with("<section><h1>A</h1>\n<div class=\"lead\"><p>Lead.</p>"),
            "{html}"
        );
        assert!(
            html.contains("<p class=\"picture\"><img src=\"d.png\" alt=\"Demo\" /></p></section>"),
            "{html}"
        );
        assert_eq!(
            (
                html.matches("<section").count(),
                html.matches("</section>").count()
            ),
            (4, 4)
        );
    }

    #[test]
    fn a_missing_readme_is_an_error() {
        assert!(add_page(&mut SourceTree::new("absent")).is_err());
    }
}
