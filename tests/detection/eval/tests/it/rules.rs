//! The rule table's page and rates agree with the code and the recordings.

use voight_detection_eval::corpus::{Corpus, default_dir};
use voight_detection_eval::{rates, rule_page};
use voight_support::assert_committed;
use voight_tests::collection;
use voight_tests::skip::skipped;

#[test]
fn the_page_matches_the_rule_table() {
    let remedy = "look at the change, then run VOIGHT_UPDATE=1 cargo test -p voight-detection-eval --test it rules::";
    assert_committed(rule_page::path(), rule_page::page(), remedy);
}

#[test]
fn rates_match_the_collection_code() {
    let now = collection::digest().expect("the sources of the window");
    let old = rates::outdated(&voight_detect::rates().window, &now);
    assert!(
        old.is_empty(),
        "the published rates were measured at {old:?} with other collection code: run \
         `cargo xtask detect bots --out docs/results/detection/bot-corpus.json`, `cargo xtask detect rates` and \
         `cargo xtask detect report --from-results`, and commit the written files"
    );
}

#[test]
fn the_rates_match_the_recordings() {
    let dir = default_dir();
    if !dir.is_dir() {
        skipped(
            "the_rates_are_those_of_the_recordings",
            "the recordings are missing; set VOIGHT_CORPUS to their directory",
        );
        return;
    }
    let corpus = Corpus::read(&dir).expect("the corpus is complete");
    let measured_rates = rates::bot_corpus()
        .and_then(|bot_corpus| rates::measure(&corpus.sessions, bot_corpus.as_deref()))
        .expect("every session can be evaluated");
    assert_eq!(
        &measured_rates,
        voight_detect::rates(),
        "run `cargo xtask detect rates`"
    );
}
