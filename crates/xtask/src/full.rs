//! Results of the full tier: a committed file for each part, and the page that shows them.
//!
//! A run resumes after the parts that passed with the same sources.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;
use std::{fs, io};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use voight_support::sources::{SourceDigests, SourceTree};

use crate::outcome::Outcome;
use crate::stopwatch::now;
use crate::test_stage::TestStage;
use crate::tested_sources::tested_sources;
use crate::workspace::Workspace;
use crate::{console, process, stale_results};

const RESULTS: &str = "docs/results/tests";
const PAGE: &str = "docs/reference/test-results.md";

/// Result of a part of the full tier.
#[derive(Debug, Serialize, Deserialize)]
struct PartResult {
    part: String,
    /// Commit of the tested files.
    commit: String,
    /// Digests of the tested sources; empty in old results.
    #[serde(default)]
    sources: SourceDigests,
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
        let commit = commit
            .context("the full tier needs a git history")?
            .trim()
            .to_owned();
        let changes = process::output(
            workspace
                .git()
                .args(["status", "--porcelain", "--"])
                .args(tested_files()),
        );
        ensure!(
            changes.is_some_and(|changes| changes.is_empty()),
            "some files are not committed; commit them first, because each result names the commit that it tested"
        );
        Ok(Self {
            workspace,
            commit,
            restart,
        })
    }

    /// Returns `true` if the part passed with the same sources. Prints why it runs again, or the commit at which it passed.
    pub(crate) fn has_passed(&self, part: TestStage) -> Result<bool> {
        let Some(result) = read(self.workspace, part)?.filter(|_| !self.restart) else {
            return Ok(false);
        };
        let PartResult {
            commit,
            date,
            sources,
            failed,
            ..
        } = result;
        let reason = source_tree(self.workspace)?.stale_reason(&sources);
        let reason =
            reason.or_else(|| (failed > 0).then(|| format!("{failed} of its tests failed")));
        match &reason {
            Some(reason) => console::line(format_args!("the part `{part}` runs again: {reason}")),
            None => console::line(format_args!(
                "the part `{part}` passed at {commit}, {date}, with the same sources; --restart runs it again"
            )),
        }
        Ok(reason.is_none())
    }

    /// Prints the published results whose sources have changed, with the commands that measure them again.
    pub(crate) fn print_stale_results(&self) -> Result<()> {
        let stale_results = stale_results::list(self.workspace)?;
        if !stale_results.is_empty() {
            console::heading("results to measure again");
            stale_results.iter().for_each(console::line);
        }
        Ok(())
    }

    /// Writes the result of a part and the page of all results.
    pub(crate) fn record(
        &self,
        part: TestStage,
        outcome: &Outcome,
        duration: Duration,
    ) -> Result<()> {
        let Outcome {
            passed,
            tests,
            failed,
            skipped,
            second_tries,
            ..
        } = outcome;
        let result = PartResult {
            part: part.to_string(),
            commit: self.commit.clone(),
            sources: source_tree(self.workspace)?
                .digests(&tested_sources(part, self.workspace.root())),
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
        let read_text = |path| fs::read_to_string(path).unwrap_or_default();
        let load = read_text("/proc/loadavg")
            .split(' ')
            .nth(2)
            .unwrap_or_default()
            .to_owned();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            cores,
            kernel: read_text("/proc/sys/kernel/osrelease").trim().to_owned(),
            load,
        }
    }
}

fn path(workspace: &Workspace, part: TestStage) -> PathBuf {
    workspace.root().join(RESULTS).join(format!("{part}.json"))
}

fn read(workspace: &Workspace, part: TestStage) -> Result<Option<PartResult>> {
    let path = path(workspace, part);
    match fs::read(&path) {
        Ok(json) => {
            Ok(Some(serde_json::from_slice(&json).with_context(|| {
                format!("{} is invalid", path.display())
            })?))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

fn source_tree(workspace: &Workspace) -> Result<SourceTree> {
    SourceTree::read(workspace.root()).context("cannot read the manifests of the workspace")
}

/// Returns the arguments of git that select all files but those of results.
fn tested_files() -> [String; 3] {
    [
        ".".to_owned(),
        format!(":(exclude){RESULTS}"),
        format!(":(exclude){PAGE}"),
    ]
}

/// Formats the page of all results.
fn page(workspace: &Workspace) -> Result<String> {
    let mut page = String::from(
        "# Results of the full tier\n\n\
        Generated by `cargo xtask test --full` from the files `docs/results/tests/PART.json`, which also name the skipped tests and \
        the second tries, and the digests of the tested sources.\nA result whose sources have changed since is marked as stale.\n\n\
        | part | tests | failed | skipped | time | commit, day | machine |\n|---|---|---|---|---|---|---|\n",
    );
    let source_tree = source_tree(workspace)?;
    for part in TestStage::TESTS {
        let Some(result) = read(workspace, part)? else {
            continue;
        };
        let PartResult {
            commit,
            sources,
            date,
            machine,
            seconds,
            tests,
            failed,
            skipped,
            ..
        } = &result;
        let Machine {
            cores,
            kernel,
            load,
        } = machine;
        let stale = source_tree.stale_mark(sources);
        let time = format!("{}:{:02}", seconds / 60, seconds % 60);
        writeln!(
            page,
            "| `{part}` | {tests} | {failed} | {} | {time} | {commit}, {date}{stale} | {cores} cores, Linux {kernel}, load {load} |",
            skipped.len()
        )?;
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use voight_support::sources::without_stale_reasons;

    use super::{PAGE, page};
    use crate::workspace::Workspace;

    #[test]
    fn page_shows_the_committed_results_and_marks_stale_ones() {
        let workspace = Workspace::locate().unwrap();
        if voight_support::is_update() {
            fs::write(workspace.root().join(PAGE), page(&workspace).unwrap()).unwrap();
        }
        let committed_page = fs::read_to_string(workspace.root().join(PAGE)).unwrap();
        let [committed, expected] =
            [&committed_page, &page(&workspace).unwrap()].map(|page| without_stale_reasons(page));
        assert_eq!(committed, expected, "VOIGHT_UPDATE=1 updates {PAGE}");
    }
}
