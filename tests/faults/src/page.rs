//! Published table `docs/explanation/reliability.md`, generated from the result files beside it.

use crate::harness::Backend;
use crate::result::ScenarioResult;
use crate::scenario::Scenario;
use crate::scenarios::{SCENARIOS, reopen};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use voight_tests::paths::repository;
use voight_tests::publish;
use voight_tests::results::{SourceDigests, SourceTree, source_tree};
use voight_tests::table::markdown;

/// Returns the directory of published fuzzing results, a file for each target.
pub fn fuzz_results() -> PathBuf {
    repository().join("docs/results/reliability/fuzz")
}

/// Returns the directory of published results.
pub fn results() -> PathBuf {
    repository().join("docs/results/reliability")
}

/// Returns the path of the published result of a scenario on a backend.
pub fn result_path(scenario: &Scenario, backend: Backend) -> PathBuf {
    results().join(format!("{}.{backend}.json", scenario.name))
}

/// Returns the files in a directory with results of runs that broke a promise, in the order of their names.
pub fn broken_files(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for file in fs::read_dir(dir).into_iter().flatten() {
        let path = file?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.contains(".broken-") && name.ends_with(".json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Reads every published result: the newest of each scenario and backend, and those that broke a promise.
pub fn published() -> Result<Vec<ScenarioResult>> {
    let newest = SCENARIOS.iter().flat_map(|scenario| {
        scenario
            .backends
            .iter()
            .map(|backend| result_path(scenario, *backend))
    });
    let paths = newest.chain(broken_files(&results())?);
    let results: Result<Vec<_>> = paths
        .filter_map(|path| ScenarioResult::read(&path).transpose())
        .collect();
    // A newest run that broke a promise has two files; the preserved copy names the fix.
    let by_run: BTreeMap<_, _> = results?
        .into_iter()
        .map(|result| (result.own_name(), result))
        .collect();
    Ok(by_run.into_values().collect())
}

/// Returns the current and the expected contents of the page.
pub fn pages() -> Result<(String, String)> {
    let page = fs::read_to_string(page_path())
        .context("docs/explanation/reliability.md cannot be read")?;
    let source_tree = source_tree()?;
    let mut new_page = replaced(&page, "table", &table(&source_tree)?)?;
    new_page = replaced(&new_page, "broken", &broken()?)?;
    new_page = replaced(&new_page, "reopen", &reopened(&source_tree)?)?;
    new_page = replaced(&new_page, "fuzz", &fuzzing(&source_tree)?)?;
    Ok((page, new_page))
}

/// Replaces the text between the markers `name` of the page.
fn replaced(page: &str, name: &str, text: &str) -> Result<String> {
    publish::replaced(page, name, text)
        .with_context(|| format!("docs/explanation/reliability.md has no markers of {name}"))
}

/// Writes the expected contents of the page.
pub fn update() -> Result<()> {
    let (_, expected) = pages()?;
    Ok(fs::write(page_path(), expected)?)
}

fn page_path() -> PathBuf {
    repository().join("docs/explanation/reliability.md")
}

/// Formats a line for each scenario and backend.
fn table(source_tree: &SourceTree) -> Result<String> {
    let mut lines = Vec::new();
    for scenario in SCENARIOS {
        for backend in scenario.backends {
            let result = ScenarioResult::read(&result_path(scenario, *backend))?;
            let (largest, lost) = result.as_ref().map_or_else(
                || ("none".to_owned(), String::new()),
                |result| describe(result, &source_tree.stale_mark(&result.sources)),
            );
            let Scenario {
                name,
                unit,
                ci_volume,
                full_volume,
                ..
            } = scenario;
            let [name, ci_volume] = [format!("`{name}`"), format!("{ci_volume} {unit}")];
            lines.push([
                name,
                backend.to_string(),
                ci_volume,
                full_volume.to_string(),
                largest,
                lost,
            ]);
        }
    }
    Ok(markdown(
        ["fault", "store", "in CI", "full run", "newest run", "lost"],
        lines,
    ))
}

fn describe(result: &ScenarioResult, stale_mark: &str) -> (String, String) {
    let ScenarioResult {
        volume,
        date,
        commit,
        seed,
        lost,
        failures,
        ..
    } = result;
    let failed_cycles = failures
        .iter()
        .map(|cycle| format!(", cycle {} {}", cycle.cycle, cycle.outcome));
    let failed_text: String = failed_cycles.collect();
    (
        format!("{volume}, {date}, commit {commit}, seed {seed}{stale_mark}"),
        format!("{lost}{failed_text}"),
    )
}

/// Formats a line for each published run that broke a promise or was inconclusive.
fn broken() -> Result<String> {
    let has_failed = |result: &ScenarioResult| result.is_broken() || !result.failures.is_empty();
    let broken: Vec<_> = published()?.into_iter().filter(has_failed).collect();
    if broken.is_empty() {
        return Ok("No published run has broken a promise.\n".to_owned());
    }
    let lines = broken.into_iter().map(|result| {
        let ScenarioResult {
            scenario,
            backend,
            date,
            commit,
            seed,
            lost,
            failures,
            resolved,
            ..
        } = result;
        let has_failed: Vec<_> = failures
            .iter()
            .map(|has_failed| format!("{} {}", has_failed.cycle, has_failed.outcome))
            .collect();
        let run_text = format!("{date}, commit {commit}, seed {seed}");
        let resolved = resolved.unwrap_or_else(|| "**no**".to_owned());
        [
            format!("`{scenario}`"),
            backend.to_string(),
            run_text,
            lost.to_string(),
            has_failed.join(", "),
            resolved,
        ]
    });
    Ok(markdown(
        ["fault", "store", "run", "lost", "failed cycles", "resolved"],
        lines,
    ))
}

/// Formats a line for each store that was opened after a kill.
fn reopened(source_tree: &SourceTree) -> Result<String> {
    let mut lines = Vec::new();
    for backend in reopen::SCENARIO.backends {
        let Some(result) = ScenarioResult::read(&result_path(&reopen::SCENARIO, *backend))? else {
            continue;
        };
        let peak = |what: &str| result.maxima.get(what).copied().unwrap_or(0).to_string();
        let [size, median, maximum] = [reopen::MIB, reopen::MEDIAN_MS, reopen::MAX_MS].map(peak);
        let when = format!("{}{}", result.date, source_tree.stale_mark(&result.sources));
        lines.push([
            backend.to_string(),
            result.volume.to_string(),
            size,
            median,
            maximum,
            when,
        ]);
    }
    let head = [
        "store",
        "ledger rows and verdicts, each",
        "on disk, MiB",
        "milliseconds, median of 5",
        "maximum",
        "date",
    ];
    Ok(markdown(head, lines))
}

/// Published members of the result that `cargo xtask fuzz` writes for a target.
#[derive(Deserialize)]
struct FuzzResult {
    target: String,
    seconds: u64,
    runs: u64,
    date: String,
    commit: String,
    crashes: u64,
    #[serde(default)]
    sources: SourceDigests,
}

/// Formats a line for each fuzz target that was run.
fn fuzzing(source_tree: &SourceTree) -> Result<String> {
    let mut lines = BTreeMap::new();
    for file in fs::read_dir(fuzz_results()).into_iter().flatten() {
        let path = file?.path();
        let wrong = || format!("{} is not a fuzzing result", path.display());
        let FuzzResult {
            target,
            seconds,
            runs,
            date,
            commit,
            crashes,
            sources,
        } = serde_json::from_str(&fs::read_to_string(&path)?).with_context(wrong)?;
        let day = date.split('T').next().unwrap_or_default().to_owned();
        let counts = [runs, seconds, crashes].map(|count| count.to_string());
        let stale_mark = source_tree.stale_mark(&sources);
        lines.insert(
            target,
            (counts, format!("{day}, commit {commit}{stale_mark}")),
        );
    }
    let lines = lines
        .into_iter()
        .map(|(target, ([runs, seconds, crashes], when))| {
            [format!("`{target}`"), runs, seconds, crashes, when]
        });
    Ok(markdown(
        ["target", "inputs", "seconds", "crashes", "when"],
        lines,
    ))
}
