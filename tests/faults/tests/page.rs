//! The published page agrees with the published results, which are recent and broke no promise.

use voight_faults::page;
use voight_faults::result::ScenarioResult;
use voight_faults::sources::{DAYS, days_behind};
use voight_tests::skip::skipped;

#[test]
fn the_page_matches_the_result_files() {
    let (page, expected) = page::pages().unwrap();
    let [page, expected] = [page, expected].map(|text| page::without_stale_marks(&text));
    assert!(
        page == expected,
        "docs/explanation/reliability.md differs from its result files: run `cargo xtask faults --publish`"
    );
}

/// Describes a result in a message.
fn name(result: &ScenarioResult) -> String {
    let ScenarioResult { scenario, backend, date, seed, lost, failures, .. } = result;
    format!("{scenario} on {backend} of {date}, seed {seed}: {lost} lost, {} failed cycles", failures.len())
}

#[test]
fn every_published_run_that_broke_a_promise_names_the_fix() {
    let unresolved = |result: &ScenarioResult| result.is_broken() && result.resolved.is_none();
    let broken: Vec<_> = page::published().unwrap().iter().filter(|result| unresolved(result)).map(name).collect();
    assert!(
        broken.is_empty(),
        "{broken:#?}\nAfter the fix, write its cause and commit into `resolved` of the result file"
    );
}

/// Commit dates are compared, so that a checkout of old sources passes as it did then.
#[test]
fn published_runs_are_at_most_14_days_of_commits_older_than_their_sources() {
    let results = page::published().unwrap();
    let mut old = Vec::new();
    for result in results.iter().filter(|result| !result.is_broken()) {
        match days_behind(result) {
            Ok(days) if days > DAYS => old.push(format!("{}: {days} days", name(result))),
            Ok(_) => {}
            Err(error) => {
                return skipped(
                    "published_runs_are_at_most_14_days_of_commits_older_than_their_sources",
                    &format!("{error:#}; a full clone has the history"),
                );
            }
        }
    }
    assert!(old.is_empty(), "repeat these runs and publish them with `cargo xtask faults --publish`: {old:#?}");
}
