//! Pages of error ids: the sections of `docs/reference/errors.md`, which is generated from the error table.

use crate::link::map_links;
use crate::summary::Chapter;
use crate::tree::SourceTree;
use std::io;

/// Page with a section for every error id.
pub(crate) const PAGE: &str = "docs/reference/errors.md";

/// Adds a page for each error id to the tree, and returns their chapters.
pub(crate) fn add_pages(tree: &mut SourceTree) -> io::Result<Vec<Chapter>> {
    let text = tree.text(PAGE)?;
    let mut chapters = Vec::new();
    for section in text.split("\n### ").skip(1) {
        let (id, body) = section.split_once('\n').unwrap_or((section, ""));
        if !id.starts_with("m_") {
            continue;
        }
        let body = body.split("\n## ").next().unwrap_or_default().trim();
        let body = map_links(body, |target| Some(moved_down(target)));
        let source = format!("docs/reference/errors/{id}.md");
        let code = body.split('`').nth(1).unwrap_or_default();
        let title = format!("{id}: {code}");
        let page = format!("# {title}\n\n{body}\n\n[All errors and the envelope](../errors.md)\n");
        tree.insert(source.clone(), page);
        chapters.push(Chapter::new(title, source));
    }
    Ok(chapters)
}

/// Returns the target of a link of the page for a page one directory below it.
fn moved_down(target: &str) -> String {
    if target.contains("://") {
        return target.to_owned();
    }
    if target.starts_with('#') {
        format!("../errors.md{target}")
    } else {
        format!("../{target}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_id_has_a_page_whose_links_lead_to_the_same_places() {
        let mut tree = SourceTree::new("absent");
        let text = "# Errors\n\n## Error ids\n\n### m_a_b_1\n\n`A_CODE`, body [1](#exit-code-1), [p](p.md).\n\n### m_a_b_2\n\n`B_CODE`, end.\n\n## Exit codes\n\n### Exit code 1\n";
        tree.insert(PAGE.to_owned(), text.to_owned());
        let chapters = add_pages(&mut tree).unwrap();
        assert_eq!(
            chapters
                .iter()
                .map(|chapter| chapter.title.as_str())
                .collect::<Vec<_>>(),
            ["m_a_b_1: A_CODE", "m_a_b_2: B_CODE"]
        );
        let page = tree.text("docs/reference/errors/m_a_b_1.md").unwrap();
        assert!(
            page.starts_with(
                "# m_a_b_1: A_CODE\n\n`A_CODE`, body [1](../errors.md#exit-code-1), [p](../p.md).\n"
            ),
            "{page}"
        );
        assert!(
            !tree
                .text("docs/reference/errors/m_a_b_2.md")
                .unwrap()
                .contains("Exit")
        );
    }

    #[test]
    fn a_link_to_another_origin_is_unchanged() {
        assert_eq!(moved_down("https://a.example/b"), "https://a.example/b");
    }
}
