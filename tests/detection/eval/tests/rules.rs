//! The rule table's page and rates agree with the code and the recordings.

use voight_detection_eval::corpus::{Corpus, default_folder};
use voight_detection_eval::{rates, rule_page};
use voight_tests::collection;
use voight_tests::skip::skipped;

#[test]
fn the_page_is_that_of_the_table() {
    let due = rule_page::page();
    if voight_tests::snapshot::is_update() {
        std::fs::write(rule_page::path(), &due).expect("the page can be written");
    }
    let page = std::fs::read_to_string(rule_page::path()).unwrap_or_default();
    assert!(
        page == due,
        "docs/reference/rules.md has drifted; run VOIGHT_UPDATE=1 cargo test -p voight-detection-eval --test rules"
    );
}

#[test]
fn the_rates_are_of_the_window_that_collects_now() {
    let now = collection::digest().expect("the sources of the window");
    let old = rates::outdated(&voight_detect::rates().window, &now);
    assert!(
        old.is_empty(),
        "the window collects evidence by other code than at {old:?}, when the published rates were measured: run \
         `cargo xtask detect zoo --out docs/results/detection/zoo.json`, `cargo xtask detect rates` and \
         `cargo xtask detect report --from-results`, and commit what they write"
    );
}

#[test]
fn the_rates_are_those_of_the_recordings() {
    let folder = default_folder();
    if !folder.is_dir() {
        skipped(
            "the_rates_are_those_of_the_recordings",
            "the recordings are missing; VOIGHT_CORPUS names their folder",
        );
        return;
    }
    let corpus = Corpus::read(&folder).expect("the corpus is whole");
    let measured = rates::zoo()
        .and_then(|zoo| rates::measure(&corpus.sessions, zoo.as_deref()))
        .expect("every session can be judged");
    assert_eq!(&measured, voight_detect::rates(), "run `cargo xtask detect rates`");
}
