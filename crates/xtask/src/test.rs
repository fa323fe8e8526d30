//! `cargo xtask test`: runs the parts one after the other.

use std::process::ExitCode;

use anyhow::Result;

use crate::full::FullRun;
use crate::outcome::Outcome;
use crate::report::Report;
use crate::setup::NeedsRoot;
use crate::stopwatch::timed;
use crate::test_stage::TestStage;
use crate::workspace::Workspace;
use crate::{console, lint, plan, process, setup, suite};

/// Exit code on a machine that only an administrator can set up.
const NEEDS_ROOT: u8 = 3;

/// Runs all parts, or one, of the default or the full tier.
pub(crate) fn run(only: Option<TestStage>, full: bool, restart: bool) -> Result<ExitCode> {
    let workspace = Workspace::locate()?;
    let workspace = if full {
        workspace.for_full_tier()
    } else {
        workspace
    };
    let full = full
        .then(|| FullRun::start(&workspace, restart))
        .transpose()?;
    let mut report = Report::new(std::env::var_os("CI").is_some()).of_tier(full.is_some());
    let outcome = run_parts(only, full.as_ref(), &workspace, &mut report);
    report.print();
    if let Some(full) = &full {
        full.print_stale_results()?;
    }
    match outcome {
        Ok(()) => Ok(report.exit_code()),
        Err(error) if error.is::<NeedsRoot>() => {
            console::error(&error);
            Ok(ExitCode::from(NEEDS_ROOT))
        }
        Err(error) => Err(error),
    }
}

fn run_parts(
    only: Option<TestStage>,
    full: Option<&FullRun<'_>>,
    workspace: &Workspace,
    report: &mut Report,
) -> Result<()> {
    for part in plan::preparation(only) {
        step(part, report, || prepare(part, workspace))?;
    }
    for part in plan::tests(only) {
        if let Some(full) = full
            && full.has_passed(part)?
        {
            continue;
        }
        step(part, report, || suite::run(part, workspace))?;
        if let (Some(full), Some((outcome, duration))) = (full, report.last()) {
            full.record(part, outcome, duration)?;
        }
    }
    Ok(())
}

/// Runs one part and reports it. Failed checks and tests are an outcome, and the run continues; an error ends the run.
fn step(
    part: TestStage,
    report: &mut Report,
    work: impl FnOnce() -> Result<Outcome>,
) -> Result<()> {
    console::heading(part);
    let (result, duration) = timed(work);
    let (outcome, result) = match result {
        Ok(outcome) => (outcome, Ok(())),
        Err(error) => (Outcome::failed(&error), Err(error)),
    };
    report.add(part, duration, outcome);
    result
}

fn prepare(part: TestStage, workspace: &Workspace) -> Result<Outcome> {
    match part {
        TestStage::Setup => setup::run(workspace)?,
        TestStage::Lint => return Ok(lint::run(workspace)),
        _ => build(workspace)?,
    }
    Ok(Outcome::passed())
}

fn build(workspace: &Workspace) -> Result<()> {
    process::run(&mut workspace.build_everything())?;
    if !workspace.is_full_tier() {
        return Ok(());
    }
    setup::ensure_full_tier()?;
    // A test counts the instructions of this program. Counts of a debug build would say little.
    process::run(workspace.cargo().args([
        "build",
        "--release",
        "-p",
        "voight-bench",
        "--bin",
        "voight-hot-path",
    ]))
}
