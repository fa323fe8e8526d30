//! Results of the full tier: a committed file for each part, and the page that shows them.
//!
//! A run resumes after the parts that passed at a commit with the same files. The files of results do not count.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;
use std::{fs, io};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::console;
use crate::outcome::Outcome;
use crate::process;
use crate::stopwatch::now;
use crate::test_stage::TestStage;
use crate::workspace::Workspace;

const RESULTS: &str = "docs/results/tests";
const PAGE: &str = "docs/reference/test-results.md";
/// Marker of a result that is older than its sources.
const STALE: &str = ", **stale**: older than its sources";
/// Maximum age of a result, in days before the last commit in its sources. A test fails beyond it.
const MAX_AGE_DAYS: i32 = 14;

/// Result of a part of the full tier.
#[derive(Debug, Serialize, Deserialize)]
struct PartResult {
    part: String,
    /// Commit of the tested files.
    commit: String,
    /// Day of the run, UTC.
    date: String,
    machine: Machine,
    /// Duration, without the build.
    seconds: u64,
    /// Number of tests that ran.
    tests: usize,
    /// Number of tests that failed.
    failed: usize,
    /// Skipped tests, by name and with the reason.
    skipped: Vec<String>,
    /// Second tries, by name and with the reason.
    second_tries: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Machine {
    cores: usize,
    /// Release of the kernel.
    kernel: String,
    /// Average number of runnable processes in the last 15 minutes, at the end of the part.
    load: String,
}

/// A run of the full tier.
#[derive(Debug)]
pub(crate) struct FullRun<'a> {
    workspace: &'a Workspace,
    commit: String,
    restart: bool,
}

impl<'a> FullRun<'a> {
    /// Starts or resumes a run at the current commit.
    ///
    /// # Errors
    ///
    /// Files are not committed: a result names the commit of the files that it tested.
    pub(crate) fn start(workspace: &'a Workspace, restart: bool) -> Result<Self> {
        let commit = process::output(workspace.git().args(["rev-parse", "--short=12", "HEAD"]));
        let commit = commit.context("the full tier needs a git history")?.trim().to_owned();
        let changes = process::output(workspace.git().args(["status", "--porcelain", "--"]).args(tested_files()));
        ensure!(
            changes.is_some_and(|changes| changes.is_empty()),
            "some files are not committed; commit them first, because each result names the commit that it tested"
        );
        Ok(Self { workspace, commit, restart })
    }

    /// Returns `true`, and prints the commit, if the part passed at a commit with the same files.
    pub(crate) fn has_passed(&self, part: TestStage) -> Result<bool> {
        let Some(result) = read(self.workspace, part)? else { return Ok(false) };
        let has_passed = !self.restart && result.failed == 0 && is_unchanged(self.workspace, &result.commit);
        if has_passed {
            let PartResult { commit, date, .. } = result;
            console::line(format_args!(
                "the part `{part}` passed at {commit}, {date}, with the same files; --restart runs it again"
            ));
        }
        Ok(has_passed)
    }

    /// Writes the result of a part and the page of all results.
    pub(crate) fn record(&self, part: TestStage, outcome: &Outcome, duration: Duration) -> Result<()> {
        let Outcome { passed, tests, failed, skipped, second_tries, .. } = outcome;
        let result = PartResult {
            part: part.to_string(),
            commit: self.commit.clone(),
            date: now()?.strftime("%F").to_string(),
            machine: Machine::this(),
            seconds: duration.as_secs(),
            tests: *tests,
            // A runner that stopped early counts as a failure.
            failed: if *passed { 0 } else { (*failed).max(1) },
            skipped: skipped.clone(),
            second_tries: second_tries.clone(),
        };
        let path = path(self.workspace, part);
        fs::create_dir_all(self.workspace.root().join(RESULTS))?;
        fs::write(&path, serde_json::to_string_pretty(&result)? + "\n")
            .with_context(|| format!("cannot write {}", path.display()))?;
        fs::write(self.workspace.root().join(PAGE), page(self.workspace)?)
            .with_context(|| format!("cannot write {PAGE}"))
    }
}

impl Machine {
    fn this() -> Self {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        let load = read("/proc/loadavg").split(' ').nth(2).unwrap_or_default().to_owned();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { cores, kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(), load }
    }
}

fn path(workspace: &Workspace, part: TestStage) -> PathBuf {
    workspace.root().join(RESULTS).join(format!("{part}.json"))
}

fn read(workspace: &Workspace, part: TestStage) -> Result<Option<PartResult>> {
    let path = path(workspace, part);
    match fs::read(&path) {
        Ok(json) => Ok(Some(serde_json::from_slice(&json).with_context(|| format!("{} is invalid", path.display()))?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Returns `true` if all tested files are as in the commit. `false` if the commit is unknown.
fn is_unchanged(workspace: &Workspace, commit: &str) -> bool {
    process::output(workspace.git().args(["diff", "--quiet", commit, "--"]).args(tested_files())).is_some()
}

/// Returns the arguments of git that select all files but those of results.
fn tested_files() -> [String; 3] {
    [".".to_owned(), format!(":(exclude){RESULTS}"), format!(":(exclude){PAGE}")]
}

/// Formats the page of all results.
fn page(workspace: &Workspace) -> Result<String> {
    let mut page = format!(
        "# Results of the full tier\n\n\
        Generated by `cargo xtask test --full` from the files `docs/results/tests/PART.json`, which also name the skipped tests and \
        the second tries.\nA result from a day before the last commit in its sources is marked as stale. A test fails when it is older by \
        more than {MAX_AGE_DAYS} days.\n\n\
        | part | tests | failed | skipped | time | commit, day | machine |\n|---|---|---|---|---|---|---|\n"
    );
    for part in TestStage::TESTS {
        let Some(result) = read(workspace, part)? else { continue };
        let PartResult { commit, date, machine, seconds, tests, failed, skipped, .. } = &result;
        let Machine { cores, kernel, load } = machine;
        let stale = if days_behind(workspace, part, &result).is_some_and(|days| days > 0) { STALE } else { "" };
        let time = format!("{}:{:02}", seconds / 60, seconds % 60);
        writeln!(
            page,
            "| `{part}` | {tests} | {failed} | {} | {time} | {commit}, {date}{stale} | {cores} cores, Linux {kernel}, load {load} |",
            skipped.len()
        )?;
    }
    Ok(page)
}

/// Returns the days between a result and the last commit in its sources; `None` without a history.
fn days_behind(workspace: &Workspace, part: TestStage, result: &PartResult) -> Option<i32> {
    let mut log = workspace.git();
    log.args(["log", "-1", "--format=%cs", "--"]).args(part.sources());
    let last: jiff::civil::Date = process::output(&mut log)?.trim().parse().ok()?;
    let run: jiff::civil::Date = result.date.parse().ok()?;
    run.until(last).ok().map(|span| span.get_days())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{MAX_AGE_DAYS, PAGE, STALE, days_behind, page, read};
    use crate::test_stage::TestStage;
    use crate::workspace::Workspace;

    #[test]
    fn the_page_shows_the_committed_results() {
        let workspace = Workspace::locate().unwrap();
        let committed = fs::read_to_string(workspace.root().join(PAGE)).unwrap();
        assert_eq!(committed.replace(STALE, ""), page(&workspace).unwrap().replace(STALE, ""));
    }

    #[test]
    fn no_result_is_older_than_its_sources_by_two_weeks() {
        let workspace = Workspace::locate().unwrap();
        for part in TestStage::TESTS {
            let Some(result) = read(&workspace, part).unwrap() else { continue };
            let days = days_behind(&workspace, part, &result);
            assert!(
                days.is_none_or(|days| days <= MAX_AGE_DAYS),
                "run `cargo xtask test --full --only {part}`: {result:?}"
            );
        }
    }

    #[test]
    fn the_sources_of_a_part_exist() {
        let workspace = Workspace::locate().unwrap();
        for source in TestStage::TESTS.into_iter().flat_map(TestStage::sources) {
            assert!(workspace.root().join(source).exists(), "{source}");
        }
    }
}
