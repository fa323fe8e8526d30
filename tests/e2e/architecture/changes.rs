//! Section "Where a change goes" of docs/explanation/architecture.md: it counts its files, and each name in it occurs in its file.

use std::fs;
use std::path::Path;
use voight_tests::paths::repository;

const PAGE: &str = include_str!("../../../docs/explanation/architecture.md");

/// Change with its title, the number of files in the title, and a text for each step.
struct Change {
    title: String,
    count: usize,
    steps: Vec<String>,
}

/// Returns the changes that the section of a page lists: `### TITLE: N files`, and a numbered list.
fn changes(page: &str) -> Vec<Change> {
    let (_, section) = page
        .split_once("\n## Where a change goes\n")
        .expect("the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    section.split("\n### ").skip(1).map(change).collect()
}

fn change(text: &str) -> Change {
    let (heading, body) = text.split_once('\n').expect("a heading with a list");
    let (title, count) = heading.rsplit_once(": ").expect("a title with a count");
    let count = count
        .trim_end_matches(" files")
        .parse()
        .expect("a number of files");
    let list = body
        .split("\n\n")
        .find(|part| part.trim_start().starts_with("1. "))
        .expect("a numbered list");
    let mut steps: Vec<String> = Vec::new();
    for line in list.trim().lines() {
        match line.split_once(". ") {
            Some((number, step)) if number.parse::<usize>().is_ok() => steps.push(step.to_owned()),
            _ => steps.last_mut().expect("a step").push_str(line),
        }
    }
    Change {
        title: title.to_owned(),
        count,
        steps,
    }
}

/// Returns the paths of a step, and the other names in code style.
fn paths_and_names(step: &str) -> (Vec<&str>, Vec<&str>) {
    let spans = step.split('`').skip(1).step_by(2);
    spans.partition(|span| {
        ["crates/", "tests/", "docs/", "Cargo.toml"]
            .iter()
            .any(|root| span.starts_with(root))
    })
}

/// Returns `true` if a file, or a file of a directory, contains the text. A path with `NAME` is a new file.
fn contains(path: &Path, text: &str) -> bool {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a readable directory");
        return entries
            .map(|entry| entry.expect("an entry").path())
            .any(|path| contains(&path, text));
    }
    fs::read_to_string(path).is_ok_and(|source| source.contains(text))
}

/// Returns the names of a step that its files do not contain.
fn missing_names(step: &str) -> Vec<&str> {
    let (paths, mut names) = paths_and_names(step);
    let existing: Vec<_> = paths.iter().filter(|path| !path.contains("NAME")).collect();
    names.retain(|name| {
        !existing.is_empty()
            && !existing
                .iter()
                .any(|path| contains(&repository().join(path), name))
    });
    names
}

#[test]
fn changes_name_existing_rows_and_count_files() {
    let changes = changes(PAGE);
    assert_eq!(changes.len(), 7);
    for Change {
        title,
        count,
        steps,
    } in changes
    {
        let files: usize = steps.iter().map(|step| paths_and_names(step).0.len()).sum();
        assert_eq!(files, count, "{title}: the number of files");
        for step in &steps {
            assert_eq!(missing_names(step), Vec::<&str>::new(), "{title}: {step}");
        }
    }
}

#[test]
fn missing_row_is_reported() {
    let step = "`crates/detect/src/rules/table.rs`: a row of `RULES`, before `NO_SUCH_ROW`.";
    assert_eq!(missing_names(step), ["NO_SUCH_ROW"]);
    assert_eq!(
        missing_names("`crates/detect/src/rules/`: `zero_hold`"),
        Vec::<&str>::new()
    );
    assert_eq!(
        missing_names("`crates/http/src/api/NAME.rs`: `handle`"),
        Vec::<&str>::new()
    );
}
