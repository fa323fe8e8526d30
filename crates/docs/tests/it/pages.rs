//! Pages: none is missing, each one has its Markdown, and the site is that of the sources.

use crate::{has_extension, pages, repository, text};
use std::collections::BTreeSet;
use std::fs;
use voight_api::ErrorId;
use voight_docs::{file, files};

/// Largest size of the embedded files, in bytes.
const MAX_BYTES: usize = 2_100_000;
/// Pages that have no Markdown.
const WITHOUT_MARKDOWN: [&str; 2] = ["404.html", "search.html"];

fn contents(path: &str) -> String {
    text(file(path).unwrap_or_else(|| panic!("{path} is not in the site")))
}

#[test]
fn every_page_of_docs_is_in_the_summary() {
    let site = voight_book::build(repository()).expect("the site");
    assert!(
        site.unlisted.is_empty(),
        "docs/SUMMARY.md does not list {:?}",
        site.unlisted
    );
}

#[test]
fn the_embedded_files_are_those_of_the_sources_in_any_directory() {
    let site = voight_book::build(repository()).expect("the site");
    let other = voight_book::build(&repository().canonicalize().expect("the repository"))
        .expect("the site");
    assert!(site.files == other.files, "two builds differ");
    let embedded: Vec<_> = files().iter().map(|file| file.path).collect();
    assert_eq!(embedded, site.files.keys().collect::<Vec<_>>());
    for file in files() {
        assert!(
            *file.contents().expect("contents") == site.files[file.path],
            "{} is not that of its source",
            file.path
        );
    }
}

#[test]
fn every_error_id_has_a_page_with_its_row() {
    for row in ErrorId::ALL.iter().map(|error| error.row()) {
        for (path, escape) in [
            (format!("reference/errors/{}.html", row.id), true),
            (format!("reference/errors/{}.md", row.id), false),
        ] {
            let page = contents(&path);
            let cause = if escape {
                row.cause.replace('`', "").replace('"', "&quot;")
            } else {
                row.cause.to_owned()
            };
            let page = if escape {
                page.replace("<code>", "").replace("</code>", "")
            } else {
                page
            };
            assert!(
                page.contains(row.id) && page.contains(row.code) && page.contains(&cause),
                "{path}: {page}"
            );
        }
    }
    let pages = files().iter().filter(|file| {
        file.path.starts_with("reference/errors/") && has_extension(file.path, "html")
    });
    assert_eq!(pages.count(), ErrorId::ALL.len());
}

#[test]
fn every_page_has_its_markdown_and_one_line_in_the_index() {
    let index = contents("llms.txt");
    let mut count = 0;
    for (page, html) in pages().filter(|(page, _)| !WITHOUT_MARKDOWN.contains(page)) {
        let markdown_path = format!("{}.md", page.trim_end_matches(".html"));
        assert!(
            file(&markdown_path).is_some(),
            "{markdown_path} is not in the site"
        );
        let name = markdown_path.rsplit('/').next().unwrap_or_default();
        assert!(
            html.contains(&format!(
                "<link rel=\"alternate\" type=\"text/markdown\" href=\"{name}\">"
            )),
            "{page}"
        );
        let lines: Vec<_> = index
            .lines()
            .filter(|line| line.contains(&format!("]({markdown_path}): ")))
            .collect();
        assert_eq!(lines.len(), 1, "{markdown_path}: {lines:?}");
        count += 1;
    }
    assert_eq!(
        index.lines().filter(|line| line.starts_with("- [")).count(),
        count
    );
    assert!(
        index.starts_with(
            "# Voight\n\n> Voight decides whether an Ethereum address is operated by a bot."
        ),
        "{index}"
    );
}

#[test]
fn every_operation_of_the_apis_has_a_section() {
    for document in ["openapi", "admin-openapi"] {
        let source =
            fs::read_to_string(repository().join(format!("docs/reference/{document}.json")))
                .expect("the document");
        let directory = format!("reference/{document}/");
        let pages = files()
            .iter()
            .filter(|file| file.path.starts_with(&directory) && has_extension(file.path, "md"));
        let pages: String = pages.map(text).collect();
        let sections = pages.lines().filter(|line| {
            line.split_once(" /").is_some_and(|(method, _)| {
                method.len() > 2 && method.chars().all(char::is_uppercase)
            })
        });
        let sections: BTreeSet<_> = sections.collect();
        assert_eq!(
            sections.len(),
            source.matches("\"operationId\"").count(),
            "{document}: {sections:?}"
        );
    }
}

#[test]
fn the_first_page_has_the_demo_the_comparison_the_limits_and_the_ways_in() {
    let page = contents("index.html");
    for part in [
        "src=\"images/demo.png\"",
        "cargo run --release -- demo",
        "cargo xtask test",
        "<h2 id=\"comparison\">",
        "<h2 id=\"limitations\">",
        "href=\"tutorial/protect-a-quest-page.html\"",
        "href=\"guides/configure.html\"",
        "href=\"reference/openapi.html\"",
        "href=\"explanation/architecture.html\"",
    ] {
        assert!(page.contains(part), "{part} is not in the first page");
    }
}

#[test]
fn the_embedded_files_fit_their_budget() {
    let total: usize = files().iter().map(|file| file.stored.len()).sum();
    assert!(total <= MAX_BYTES, "{total} bytes of {MAX_BYTES}");
}

#[test]
fn a_directory_is_its_index() {
    assert_eq!(file("").map(|file| file.path), Some("index.html"));
    assert_eq!(file("adr/").map(|file| file.path), Some("adr/index.html"));
    assert!(file("adr").is_none() && file("absent/").is_none());
}

#[test]
fn a_script_of_an_example_is_text() {
    let kind = |path: &str| file(path).map(voight_docs::File::content_type);
    assert_eq!(
        kind("assets/site.js"),
        Some("text/javascript; charset=utf-8")
    );
    assert_eq!(
        kind("repository/examples/quest/claim.js"),
        Some("text/plain; charset=utf-8")
    );
    assert_eq!(kind("images/demo.png"), Some("image/png"));
}
