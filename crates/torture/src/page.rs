//! The published table: `docs/reliability.md`, from the result files beside it.

use crate::result::CampaignResult;
use crate::rig::Subject;
use crate::row::Row;
use crate::rows::{ROWS, reopen};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use voight_tests::paths::repository;
use voight_tests::publish;

/// Where the published results of fuzzing lie, a file for each target.
pub fn fuzz_results() -> PathBuf {
    repository().join("docs/reliability/fuzz")
}

/// Where the published result of a row on a subject lies.
pub fn result_path(row: &Row, subject: Subject) -> PathBuf {
    repository().join("docs/reliability").join(format!("{}.{subject}.json", row.name))
}

/// The page as it is, and as it has to be.
pub fn pages() -> Result<(String, String)> {
    let page = fs::read_to_string(page_path()).context("docs/reliability.md cannot be read")?;
    let due = replaced(&page, "table", &table()?)?;
    let due = replaced(&due, "reopen", &reopened()?)?;
    let due = replaced(&due, "fuzz", &fuzzed()?)?;
    Ok((page, due))
}

/// The page with this text between the marks of this name.
fn replaced(page: &str, name: &str, text: &str) -> Result<String> {
    publish::replaced(page, name, text).with_context(|| format!("docs/reliability.md has no marks of {name}"))
}

/// Writes the table into the page.
pub fn update() -> Result<()> {
    let (_, due) = pages()?;
    Ok(fs::write(page_path(), due)?)
}

fn page_path() -> PathBuf {
    repository().join("docs/reliability.md")
}

/// A line for each row and subject.
fn table() -> Result<String> {
    let mut table = String::from(
        "| fault | store | in CI | full run goal | largest run done so far | lost |\n|---|---|---|---|---|---|\n",
    );
    for row in ROWS {
        for subject in row.subjects {
            let result = CampaignResult::read(&result_path(row, *subject))?;
            let (largest, lost) = result.as_ref().map_or_else(|| ("none".to_owned(), String::new()), described);
            let Row { name, unit, in_ci, goal, .. } = row;
            writeln!(table, "| `{name}` | {subject} | {in_ci} {unit} | {goal} | {largest} | {lost} |")?;
        }
    }
    Ok(table)
}

fn described(result: &CampaignResult) -> (String, String) {
    let CampaignResult { units, date, commit, seed, lost, .. } = result;
    (format!("{units}, {date}, commit {commit}, seed {seed}"), lost.to_string())
}

/// A line for each store that was opened after a kill.
fn reopened() -> Result<String> {
    let mut table = String::from(
        "| store | ledger rows, and as many verdicts | on disk, MiB | milliseconds, middle of 5 | at most |\n|---|---|---|---|---|\n",
    );
    for subject in reopen::ROW.subjects {
        let Some(result) = CampaignResult::read(&result_path(&reopen::ROW, *subject))? else { continue };
        let seen = |what: &str| result.peaks.get(what).copied().unwrap_or(0);
        let (size, middle, most) = (seen(reopen::MIB), seen(reopen::MIDDLE), seen(reopen::MOST));
        writeln!(table, "| {subject} | {} | {size} | {middle} | {most} |", result.units)?;
    }
    Ok(table)
}

/// What `cargo xtask fuzz` writes of a target, as far as it is published.
#[derive(Deserialize)]
struct Fuzzed {
    target: String,
    seconds: u64,
    runs: u64,
    date: String,
    commit: String,
    crashes: u64,
}

/// A line for each fuzz target that was run.
fn fuzzed() -> Result<String> {
    let mut lines = BTreeMap::new();
    for file in fs::read_dir(fuzz_results()).into_iter().flatten() {
        let path = file?.path();
        let wrong = || format!("{} holds no result of fuzzing", path.display());
        let Fuzzed { target, seconds, runs, date, commit, crashes } =
            serde_json::from_str(&fs::read_to_string(&path)?).with_context(wrong)?;
        let day = date.split('T').next().unwrap_or_default().to_owned();
        lines.insert(
            target.clone(),
            format!("| `{target}` | {runs} | {seconds} | {crashes} | {day}, commit {commit} |\n"),
        );
    }
    let head = "| target | inputs | seconds | crashes | when |\n|---|---|---|---|---|\n";
    Ok(lines.into_values().fold(head.to_owned(), |table, line| table + &line))
}
