//! The figures of the page about performance are those of the last full runs.

use serde_json::Value;
use std::fmt::Write as _;
use voight_support::assert_committed;
use voight_tests::paths;
use voight_tests::publish::replaced;
use voight_tests::results::{source_tree, without_stale_reasons};

const PAGE: &str = "docs/explanation/performance.md";
const MARK: &str = "speed";

#[test]
fn performance_page_matches_the_measured_figures() {
    let path = paths::repository().join(PAGE);
    let page = std::fs::read_to_string(&path).expect("the page");
    let expected_page =
        replaced(&page, MARK, &table()).expect("the page has marks for the figures");
    let is_current = without_stale_reasons(&page) == without_stale_reasons(&expected_page);
    assert_committed(
        PAGE,
        if is_current { page } else { expected_page },
        "its figures are not the measured ones; VOIGHT_UPDATE=1 writes them",
    );
}

/// State before the click, by its name in the run.
const KINDS: [(&str, &str); 3] = [
    ("hovered", "the mouse, 165 ms"),
    ("warm", "a check of another address"),
    ("cold", "nothing"),
];

const HEAD: &str =
    "| browser | before the click | checks | click to usable: p50 | p95 | usable to complete: p50 | p95 |
|---|---|---|---|---|---|---|
";

/// Formats a row for each kind of check in each browser with a full run.
fn table() -> String {
    let results = ["chromium", "firefox"].map(result);
    let source_tree = source_tree().expect("the sources");
    let mut table = HEAD.to_owned();
    for result in results.iter().flatten() {
        let sources = serde_json::from_value(result["sources"].clone()).unwrap_or_default();
        let browser = result["browser"]
            .as_str()
            .expect("a name")
            .replace('/', " ");
        let browser = browser + &source_tree.stale_mark(&sources);
        for (kind, before) in KINDS {
            row(&mut table, &browser, before, &result[kind]);
        }
    }
    if table == HEAD {
        "No full run has been published yet.\n".to_owned()
    } else {
        table
    }
}

/// Returns the result of the last full run with a browser.
fn result(browser: &str) -> Option<Value> {
    let file = paths::repository().join(format!("docs/results/performance/speed.{browser}.json"));
    let text = std::fs::read_to_string(&file).ok()?;
    Some(serde_json::from_str(&text).expect("the result of a full run"))
}

fn row(table: &mut String, browser: &str, before: &str, result: &Value) {
    let of = |name: &str| format!("{} ms | {} ms", result[name]["p50"], result[name]["p95"]);
    let _ = writeln!(
        table,
        "| {browser} | {before} | {} | {} | {} |",
        result["runs"],
        of("usable"),
        of("complete")
    );
}
