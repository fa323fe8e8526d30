//! The published page agrees with the published results, marks those whose sources have changed, and none broke a promise.

use voight_faults::page;
use voight_faults::result::ScenarioResult;
use voight_tests::results::without_stale_reasons;

#[test]
fn the_page_matches_the_result_files() {
    let (page, expected) = page::pages().unwrap();
    let [page, expected] = [page, expected].map(|text| without_stale_reasons(&text));
    assert!(
        page == expected,
        "docs/explanation/reliability.md differs from its result files: run `cargo xtask faults --publish`"
    );
}

/// Describes a result in a message.
fn name(result: &ScenarioResult) -> String {
    let ScenarioResult {
        scenario,
        backend,
        date,
        seed,
        lost,
        failures,
        ..
    } = result;
    format!(
        "{scenario} on {backend} of {date}, seed {seed}: {lost} lost, {} failed cycles",
        failures.len()
    )
}

#[test]
fn broken_runs_name_their_fix() {
    let is_unresolved = |result: &ScenarioResult| result.is_broken() && result.resolved.is_none();
    let broken: Vec<_> = page::published()
        .unwrap()
        .iter()
        .filter(|result| is_unresolved(result))
        .map(name)
        .collect();
    assert!(
        broken.is_empty(),
        "{broken:#?}\nAfter the fix, write its cause and commit into `resolved` of the result file"
    );
}
