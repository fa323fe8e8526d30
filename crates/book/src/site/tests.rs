//! Tests of the building of a small repository.

use super::*;
use std::fs;
use tempfile::TempDir;

const SUMMARY: &str = "# Summary\n\n[Home](README.md)\n\n# Guides\n\n- [A](guides/a.md)\n- [API](reference/api.json)\n- [Errors](reference/errors.md)\n- [All](all/README.md)\n  - [One](all/one.md)\n";

/// Returns a repository with these files beside a table of contents and what it lists.
fn repository(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let book_files = [
        (
            "README.md",
            "# V\n\nV.\n\n![D](docs/d.png)\n\n## Comparison\n\nC.\n\n## Limitations\n\nL.\n",
        ),
        ("docs/SUMMARY.md", SUMMARY),
        (
            "docs/README.md",
            "# Home\n\nLead of it.\n\n## Ways in\n\n- [A](guides/a.md)\n",
        ),
        ("docs/d.png", "png"),
        (
            "docs/guides/a.md",
            "# Guide\n\nFirst. [api](../reference/api.json) [x](../../x/README.md#x) [src](../../src) [code](../../src/main.rs)\n",
        ),
        (
            "docs/reference/api.json",
            include_str!("../openapi/sample.json"),
        ),
        (
            "docs/reference/errors.md",
            "# Errors\n\n### m_g_n_1\n\nAbsent.\n",
        ),
        ("docs/all/README.md", "# All\n\nText.\n"),
        ("docs/all/one.md", "# One\n\n[up](../guides/a.md)\n"),
        ("x/README.md", "# X\n\n[back](../docs/guides/a.md)\n"),
        ("src/main.rs", "fn main() {}\n"),
    ];
    for (path, text) in book_files.iter().chain(files) {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn text(site: &Site, path: &str) -> String {
    String::from_utf8(
        site.files
            .get(path)
            .unwrap_or_else(|| panic!("{path}: {:?}", site.files.keys()))
            .clone(),
    )
    .unwrap()
}

#[test]
fn pages_that_are_linked_from_outside_of_docs_are_in_the_site() {
    let site = build(repository(&[]).path()).unwrap();
    let page = text(&site, "guides/a.html");
    for link in [
        "href=\"../reference/api.html\"",
        "href=\"../repository/x/index.html#x\"",
        "href=\"../repository/src/index.html\"",
        "href=\"../repository/src/main.rs\"",
    ] {
        assert!(page.contains(link), "{link} is not in {page}");
    }
    assert!(text(&site, "repository/x/index.html").contains("href=\"../../guides/a.html\""));
    assert!(text(&site, "repository/src/index.md").contains("- [main.rs](main.rs)"));
    assert!(site.sources.contains("src/main.rs") && site.sources.contains("docs/guides/a.md"));
}

#[test]
fn the_markdown_of_a_page_has_links_to_markdown() {
    let site = build(repository(&[]).path()).unwrap();
    let links = "[api](../reference/api.md) [x](../repository/x/index.md#x) [src](../repository/src/index.md) [code](../repository/src/main.rs)";
    assert_eq!(
        text(&site, "guides/a.md"),
        format!("# Guide\n\nFirst. {links}\n")
    );
}

#[test]
fn an_index_lists_the_pages_below_it() {
    let site = build(repository(&[]).path()).unwrap();
    assert_eq!(
        text(&site, "all/index.md"),
        "# All\n\nText.\n\n- [One](one.md)\n"
    );
    assert!(text(&site, "all/index.html").contains("<a href=\"one.html\">One</a>"));
}

#[test]
fn pages_follow_each_other_in_the_order_of_the_summary() {
    let site = build(repository(&[]).path()).unwrap();
    let page = text(&site, "reference/api/signing-keys.html");
    assert!(
        page.contains("<a rel=\"prev\" href=\"../../reference/api.html\">"),
        "{page}"
    );
    assert!(
        page.contains("<a rel=\"next\" href=\"../../reference/api/schemas.html\">"),
        "{page}"
    );
    assert!(!text(&site, "index.html").contains("rel=\"prev\""));
}

#[test]
fn search_leaves_out_decisions_and_the_index_does_not() {
    let site = build(repository(&[("docs/adr/0001-a.md", "# 1. Unique words\n")]).path()).unwrap();
    assert!(!text(&site, "assets/search-index.js").contains("Unique words"));
    assert!(
        text(&site, "llms.txt").contains("- [1. Unique words](adr/0001-a.md): 1. Unique words")
    );
}

#[test]
fn a_page_that_the_summary_does_not_list_is_named() {
    assert_eq!(
        build(repository(&[]).path()).unwrap().unlisted,
        Vec::<String>::new()
    );
    let site = build(repository(&[("docs/guides/b.md", "# B\n")]).path()).unwrap();
    assert_eq!(site.unlisted, ["docs/guides/b.md"]);
}

#[test]
fn a_listed_page_that_does_not_exist_is_an_error_with_its_path() {
    let folder = repository(&[]);
    fs::remove_file(folder.path().join("docs/guides/a.md")).unwrap();
    let error = build(folder.path()).unwrap_err().to_string();
    assert!(error.starts_with("docs/guides/a.md: "), "{error}");
    fs::write(folder.path().join("docs/SUMMARY.md"), "# Summary\n\nText\n").unwrap();
    assert_eq!(
        build(folder.path()).unwrap_err().to_string(),
        "docs/SUMMARY.md: not a link: Text"
    );
}
