//! Runs the tests of one part, which is a profile of the test runner in `.config/nextest.toml`.

use anyhow::{Context, Result};

use crate::environment;
use crate::outcome::Outcome;
use crate::process::{self, Stream};
use crate::record::{self, TestRecord};
use crate::runner_summary;
use crate::test_stage::TestStage;
use crate::workspace::Workspace;

/// Runs the tests of a part. All tests must have been built.
pub(crate) fn run(part: TestStage, workspace: &Workspace) -> Result<Outcome> {
    let mut outcome = run_profile(part, workspace)?;
    if part == TestStage::Unit {
        let (passed, closing) = run_documented(workspace)?;
        outcome.passed &= passed;
        outcome.closing.extend(closing);
    }
    Ok(outcome)
}

fn run_profile(part: TestStage, workspace: &Workspace) -> Result<Outcome> {
    let path = workspace.test_record(part);
    record::remove(&path);
    let mut command = workspace.cargo_with_clippy(&["nextest", "run", "--workspace"]);
    command.args(["--color", process::colour()]);
    command.args(["--profile", &part.to_string()]);
    environment::provide(&mut command, workspace, &workspace.binary())?;
    let (passed, output) = process::run_captured(Stream::Stderr, &mut command)?;
    let TestRecord {
        tests,
        failed,
        mut skipped,
        second_tries,
    } = record::read(&path, passed)?;
    skipped.extend(list_ignored(part, workspace)?);
    Ok(Outcome {
        passed,
        tests,
        failed,
        closing: runner_summary::nextest_summary(&output),
        skipped,
        second_tries,
    })
}

/// Lists the ignored tests of a part: a store without a capability has no case for it.
fn list_ignored(part: TestStage, workspace: &Workspace) -> Result<Vec<String>> {
    let mut command = workspace.cargo_with_clippy(&["nextest", "list", "--workspace"]);
    command.args(["--message-format", "oneline"]);
    command.args(["--run-ignored", "only", "--profile", &part.to_string()]);
    let listing = process::output(&mut command).context("the ignored tests cannot be listed")?;
    Ok(listing
        .lines()
        .map(|test| format!("{test}: marked as ignored"))
        .collect())
}

/// Runs the documentation examples, which the other runner does not support.
fn run_documented(workspace: &Workspace) -> Result<(bool, Vec<String>)> {
    let mut command = workspace.cargo_with_clippy(&["test", "--workspace", "--doc"]);
    let (passed, output) = process::run_captured(Stream::Stdout, &mut command)?;
    Ok((passed, runner_summary::doctest_summary(&output)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::test_stage::TestStage;

    const PROFILES: &str = include_str!("../../../.config/nextest.toml");

    /// Returns the filter of a part.
    fn filter(part: TestStage) -> &'static str {
        let (_, section) = PROFILES
            .split_once(&format!("\n[profile.{part}]\n"))
            .unwrap_or_else(|| panic!("{part} has no profile"));
        let section = section.split("\n[").next().unwrap();
        section.split_once("default-filter = ").unwrap().1
    }

    /// Returns the names of packages, binaries and modules in a filter.
    fn names(filter: &str) -> BTreeSet<&str> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':');
        filter
            .split(|c| !is_name(c))
            .map(|name| name.trim_matches(':'))
            .filter(|name| !name.is_empty() && *name != "-")
            .collect()
    }

    #[test]
    fn unit_excludes_what_other_parts_select() {
        let mut other_parts = TestStage::TESTS.to_vec();
        other_parts.retain(|part| *part != TestStage::Unit);
        let mut selected_names: BTreeSet<_> = other_parts
            .into_iter()
            .flat_map(|part| names(filter(part)))
            .collect();
        selected_names.insert("not");
        assert_eq!(names(filter(TestStage::Unit)), selected_names);
    }
}
