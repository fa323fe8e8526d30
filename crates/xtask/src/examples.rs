//! `cargo xtask examples`: runs quests and a cluster as their READMEs describe.
//!
//! Includes the examples with long installations or builds.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::workspace::Workspace;
use crate::{environment, process, setup};

/// Markers in the README of an example, before the commands that start it: a quest, or a cluster.
const MARKERS: [&str; 2] = ["<!-- run: quest -->", "<!-- run: start -->"];

/// Runs the examples with these names; all of them if `names` is empty.
pub(crate) fn run(names: &[String]) -> Result<ExitCode> {
    let workspace = Workspace::locate()?.for_full_tier();
    let examples = selected(names, startable(&workspace)?)?;
    setup::run(&workspace)?;
    process::run(
        workspace
            .cargo()
            .args(["build", "--package", "voight", "--package", "xtask"]),
    )?;
    let mut command = workspace.cargo();
    command.args([
        "nextest",
        "run",
        "--package",
        "voight-examples",
        "--test",
        "it",
    ]);
    command.args([
        "--no-fail-fast",
        "--success-output",
        "immediate",
        "--color",
        process::colour(),
    ]);
    command.args(["-E", &filter(&examples)]);
    environment::provide(&mut command, &workspace, &workspace.binary())?;
    let is_success = process::succeeds(&mut command)?;
    Ok(if is_success {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Returns the names of the example directories that can be started.
fn startable(workspace: &Workspace) -> Result<Vec<String>> {
    let examples = workspace.root().join("examples");
    let dirs =
        fs::read_dir(&examples).with_context(|| format!("cannot read {}", examples.display()))?;
    let mut names = Vec::new();
    for dir in dirs {
        let dir = dir.with_context(|| format!("cannot read {}", examples.display()))?;
        if fs::read_to_string(dir.path().join("README.md"))
            .is_ok_and(|readme| MARKERS.iter().any(|marker| readme.contains(marker)))
        {
            names.push(dir.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Returns the named quests; all of them if none is named.
fn selected(names: &[String], quests: Vec<String>) -> Result<Vec<String>> {
    if let Some(unknown) = names.iter().find(|name| !quests.contains(name)) {
        bail!(
            "unknown example `{unknown}`; the examples are {}; without a name all run",
            quests.join(", ")
        );
    }
    Ok(if names.is_empty() {
        quests
    } else {
        names.to_vec()
    })
}

/// Returns the test filter for their tests, which have the names of the directories.
fn filter(quests: &[String]) -> String {
    quests
        .iter()
        .map(|name| format!("test(/^(quests|cluster)::{}$/)", name.replace('-', "_")))
        .collect::<Vec<_>>()
        .join(" | ")
}

#[cfg(test)]
mod tests {
    use super::{filter, selected};

    fn quests() -> Vec<String> {
        ["html", "react-vite"].map(ToOwned::to_owned).to_vec()
    }

    #[test]
    fn all_examples_run_by_default() {
        assert_eq!(selected(&[], quests()).unwrap(), quests());
        assert_eq!(selected(&["html".to_owned()], quests()).unwrap(), ["html"]);
    }

    #[test]
    fn unknown_example_is_rejected() {
        let error = selected(&["vue".to_owned()], quests())
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            "unknown example `vue`; the examples are html, react-vite; without a name all run"
        );
    }

    #[test]
    fn filter_contains_tests_of_directories() {
        assert_eq!(
            filter(&quests()),
            "test(/^(quests|cluster)::html$/) | test(/^(quests|cluster)::react_vite$/)"
        );
    }
}
