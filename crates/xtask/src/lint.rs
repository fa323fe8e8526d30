//! Checks that need no test run.

mod deny;
mod package;

use anyhow::{Result, bail};

use crate::outcome::Outcome;
use crate::workspace::Workspace;
use crate::{assets, console, process, sdk, typescript};

/// Check of the workspace. It fails with an error; if a part of it could not run, it passes and returns that part with the
/// reason.
type LintFn = fn(&Workspace) -> Result<Option<String>>;

const CHECKS: [(&str, LintFn); 6] = [
    ("fmt", formatting),
    ("clippy", clippy),
    ("tsc", types),
    ("assets", assets::check),
    ("sdk", sdk::check),
    ("package", package::check),
];

/// Checks of the dependencies, for the full tier and releases: their results change with the lock files and the advisories, not
/// with the sources.
const DEPENDENCY_CHECKS: [(&str, LintFn); 2] = [
    ("deny", deny::dependencies),
    ("advisories", deny::advisories),
];

/// Runs all checks of the tier, even after a failure.
pub(crate) fn run(workspace: &Workspace) -> Outcome {
    let mut checks = CHECKS.to_vec();
    if workspace.is_full_tier() {
        checks.extend(DEPENDENCY_CHECKS);
    }
    let mut outcome = Outcome::passed();
    for (name, check) in checks {
        match check(workspace) {
            Ok(skipped) => outcome
                .skipped
                .extend(skipped.map(|reason| format!("{name}: {reason}"))),
            Err(error) => {
                console::error(&error);
                outcome.passed = false;
                outcome.closing.push(format!("{name} FAILED: {error:#}"));
            }
        }
    }
    outcome
}

/// Checks licences, sources and vulnerabilities of the dependencies. A vulnerability check that cannot run is a failure.
pub(crate) fn check_dependencies(workspace: &Workspace) -> Result<()> {
    deny::dependencies(workspace)?;
    match deny::advisories(workspace)? {
        Some(skipped) => {
            bail!("a release needs the check for vulnerabilities, and they were {skipped}")
        }
        None => Ok(()),
    }
}

fn formatting(workspace: &Workspace) -> Result<Option<String>> {
    process::run(workspace.cargo().args([
        "fmt",
        "--all",
        "--",
        "--check",
        "--color",
        process::colour(),
    ]))
    .map(|()| None)
}

/// Lints everything by building it. `cargo clippy` would check all dependencies a second time.
fn clippy(workspace: &Workspace) -> Result<Option<String>> {
    process::run(&mut workspace.build_everything())?;
    // Each feature of the binary is a build of its own.
    for feature in ["cli", "server"] {
        process::run(&mut workspace.cargo_with_clippy(&[
            "check",
            "-p",
            "voight",
            "--no-default-features",
            "--features",
            feature,
        ]))?;
    }
    Ok(None)
}

/// Checks the types of the browser assets, which are comments in plain JavaScript.
fn types(workspace: &Workspace) -> Result<Option<String>> {
    typescript::compile(workspace, "tsconfig.json", &[]).map(|()| None)
}
