//! The published page agrees with the published results, which are recent and have kept every promise.

use voight_faults::page;
use voight_faults::result::ScenarioResult;
use voight_faults::sources::{DAYS, days_behind};
use voight_tests::skip::skipped;

#[test]
fn the_page_holds_the_figures_of_the_result_files_and_no_others() {
    let (page, due) = page::pages().unwrap();
    let [page, due] = [page, due].map(|text| page::without_stale_marks(&text));
    assert!(
        page == due,
        "docs/explanation/reliability.md differs from its result files: run `cargo xtask torture --publish`"
    );
}

/// Describes a result in a message.
fn name(result: &ScenarioResult) -> String {
    let ScenarioResult { row, subject, date, seed, lost, failures, .. } = result;
    format!("{row} on {subject} of {date}, seed {seed}: {lost} lost, {} failed cycles", failures.len())
}

#[test]
fn every_published_run_has_kept_its_promises_or_says_what_was_fixed() {
    let unresolved = |result: &ScenarioResult| result.is_broken() && result.resolved.is_none();
    let broken: Vec<_> = page::published().unwrap().iter().filter(|result| unresolved(result)).map(name).collect();
    assert!(
        broken.is_empty(),
        "{broken:#?}\nFind out why; once it is fixed, write what was wrong and the commit into `resolved` of the result file"
    );
}

/// Commit dates are compared, so that a checkout of old sources passes as it did then.
#[test]
fn published_runs_are_at_most_14_days_of_commits_older_than_the_sources_of_their_store() {
    let results = page::published().unwrap();
    let mut old = Vec::new();
    for result in results.iter().filter(|result| !result.is_broken()) {
        match days_behind(result) {
            Ok(days) if days > DAYS => old.push(format!("{}: {days} days", name(result))),
            Ok(_) => {}
            Err(why) => {
                return skipped("published_runs_are_new_enough", &format!("{why:#}; a clone with its history has it"));
            }
        }
    }
    assert!(old.is_empty(), "run these again and publish them, `cargo xtask torture --publish`: {old:#?}");
}
