//! Published table `docs/explanation/reliability.md`, generated from the result files beside it.

use crate::harness::Backend;
use crate::result::ScenarioResult;
use crate::scenario::Scenario;
use crate::scenarios::{SCENARIOS, reopen};
use crate::sources;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use voight_tests::paths::repository;
use voight_tests::publish;
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
pub fn result_path(row: &Scenario, subject: Backend) -> PathBuf {
    results().join(format!("{}.{subject}.json", row.name))
}

/// Returns the files in a directory with results of runs that broke a promise, in the order of their names.
pub fn broken_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for file in fs::read_dir(folder).into_iter().flatten() {
        let path = file?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.contains(".broken-") && name.ends_with(".json") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Reads every published result: the newest of each scenario and backend, and those that broke a promise.
pub fn published() -> Result<Vec<ScenarioResult>> {
    let newest = SCENARIOS.iter().flat_map(|row| row.subjects.iter().map(|subject| result_path(row, *subject)));
    let all = newest.chain(broken_files(&results())?);
    let results: Result<Vec<_>> = all.filter_map(|path| ScenarioResult::read(&path).transpose()).collect();
    // The newest run of a scenario has two files if it broke a promise; the one under its own name says what was fixed.
    let by_run: BTreeMap<_, _> = results?.into_iter().map(|result| (result.own_name(), result)).collect();
    Ok(by_run.into_values().collect())
}

/// Mark of a stale scenario beside its figures.
const STALE: &str = ", **stale**: older than its sources";

/// Removes the marks of stale scenarios, which depend on later commits.
pub fn without_stale_marks(page: &str) -> String {
    page.replace(STALE, "")
}

/// Returns the current and the expected contents of the page.
pub fn pages() -> Result<(String, String)> {
    let page = fs::read_to_string(page_path()).context("docs/explanation/reliability.md cannot be read")?;
    let due = replaced(&page, "table", &table()?)?;
    let due = replaced(&due, "broken", &broken()?)?;
    let due = replaced(&due, "reopen", &reopened()?)?;
    let due = replaced(&due, "fuzz", &fuzzed()?)?;
    Ok((page, due))
}

/// Replaces the text between the marks `name` of the page.
fn replaced(page: &str, name: &str, text: &str) -> Result<String> {
    publish::replaced(page, name, text)
        .with_context(|| format!("docs/explanation/reliability.md has no marks of {name}"))
}

/// Writes the expected contents of the page.
pub fn update() -> Result<()> {
    let (_, due) = pages()?;
    Ok(fs::write(page_path(), due)?)
}

fn page_path() -> PathBuf {
    repository().join("docs/explanation/reliability.md")
}

/// Formats a line for each scenario and backend.
fn table() -> Result<String> {
    let mut lines = Vec::new();
    for row in SCENARIOS {
        for subject in row.subjects {
            let result = ScenarioResult::read(&result_path(row, *subject))?;
            let (largest, lost) = result.as_ref().map_or_else(|| ("none".to_owned(), String::new()), described);
            let Scenario { name, unit, ci_units: in_ci, goal, .. } = row;
            let [name, in_ci] = [format!("`{name}`"), format!("{in_ci} {unit}")];
            lines.push([name, subject.to_string(), in_ci, goal.to_string(), largest, lost]);
        }
    }
    Ok(markdown(["fault", "store", "in CI", "full run goal", "newest run", "lost"], lines))
}

fn described(result: &ScenarioResult) -> (String, String) {
    let ScenarioResult { units, date, commit, seed, lost, failures, .. } = result;
    let stale = if sources::is_newer(result) { STALE } else { "" };
    let failed = if failures.is_empty() { String::new() } else { format!(", {} failed", failures.len()) };
    (format!("{units}, {date}, commit {commit}, seed {seed}{stale}"), format!("{lost}{failed}"))
}

/// Formats a line for each published run that broke a promise.
fn broken() -> Result<String> {
    let broken: Vec<_> = published()?.into_iter().filter(ScenarioResult::is_broken).collect();
    if broken.is_empty() {
        return Ok("No published run has broken a promise.\n".to_owned());
    }
    let lines = broken.into_iter().map(|result| {
        let ScenarioResult { row, subject, date, commit, seed, lost, failures, resolved, .. } = result;
        let failed: Vec<_> = failures.iter().map(|failed| failed.cycle.to_string()).collect();
        let run = format!("{date}, commit {commit}, seed {seed}");
        let resolved = resolved.unwrap_or_else(|| "**no**".to_owned());
        [format!("`{row}`"), subject.to_string(), run, lost.to_string(), failed.join(", "), resolved]
    });
    Ok(markdown(["fault", "store", "run", "lost", "failed cycles", "resolved"], lines))
}

/// Formats a line for each store that was opened after a kill.
fn reopened() -> Result<String> {
    let mut lines = Vec::new();
    for subject in reopen::ROW.subjects {
        let Some(result) = ScenarioResult::read(&result_path(&reopen::ROW, *subject))? else { continue };
        let seen = |what: &str| result.peaks.get(what).copied().unwrap_or(0).to_string();
        let [size, middle, most] = [reopen::MIB, reopen::MEDIAN_MS, reopen::MAX_MS].map(seen);
        lines.push([subject.to_string(), result.units.to_string(), size, middle, most]);
    }
    let head = ["store", "ledger rows, and as many verdicts", "on disk, MiB", "milliseconds, middle of 5", "at most"];
    Ok(markdown(head, lines))
}

/// Published members of the result that `cargo xtask fuzz` writes for a target.
#[derive(Deserialize)]
struct Fuzzed {
    target: String,
    seconds: u64,
    runs: u64,
    date: String,
    commit: String,
    crashes: u64,
}

/// Formats a line for each fuzz target that was run.
fn fuzzed() -> Result<String> {
    let mut lines = BTreeMap::new();
    for file in fs::read_dir(fuzz_results()).into_iter().flatten() {
        let path = file?.path();
        let wrong = || format!("{} holds no result of fuzzing", path.display());
        let Fuzzed { target, seconds, runs, date, commit, crashes } =
            serde_json::from_str(&fs::read_to_string(&path)?).with_context(wrong)?;
        let day = date.split('T').next().unwrap_or_default().to_owned();
        let counts = [runs, seconds, crashes].map(|count| count.to_string());
        lines.insert(target, (counts, format!("{day}, commit {commit}")));
    }
    let lines = lines
        .into_iter()
        .map(|(target, ([runs, seconds, crashes], when))| [format!("`{target}`"), runs, seconds, crashes, when]);
    Ok(markdown(["target", "inputs", "seconds", "crashes", "when"], lines))
}
