//! Scenario: every system call on the files of a store fails, one at a time.

use super::requirements;
use crate::harness::{Backend, Strace, Syscall, SyscallFault, WriteHistory, WriterConfig, WriterProcess, calls, paths};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use anyhow::{Context, Result, ensure};
use fastrand::Rng;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use voight_embedded::StorePaths;

/// Number of operations of the script, of every kind. The store is opened before and closed after them.
const OPERATIONS: u64 = 9;
/// Fatal error of a call. A store survives the other one, which the scenario `full-disk` tests.
const FATAL: &str = "EIO";
const FULL: &str = "ENOSPC";
/// Calls that need space.
const WRITES: [&str; 3] = ["pwrite64", "write", "ftruncate"];
/// Calls without which a change is not durable. The others only query, and may fail without harm.
const CHANGES: [&str; 7] = ["pwrite64", "write", "ftruncate", "fsync", "fdatasync", "sync_file_range", "rename"];

pub(super) const ROW: Scenario = Scenario {
    name: "errors",
    about: "an error from the n-th call on a file, once or for ever: nothing more is acknowledged, and the store opens again",
    unit: "errors",
    subjects: Backend::ALL,
    ci_units: 100,
    goal: 20_000,
    unmet_requirement: requirements::tracer,
    run,
    expects_loss: false,
};

/// Records a short script, then repeats it on a new store for each of its calls, with that call failing.
fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let mut random = cycle.random();
    let script = Script::record(cycle, random.u64(..)).context("the script without faults")?;
    let mut tally = CycleResult::default();
    for (step, calls) in script.steps.iter().enumerate() {
        for call in calls {
            for nth in 1..=call.times {
                let fault = fault(call, nth, &mut random);
                script.run(cycle, step, &fault, &mut tally).with_context(|| format!("{fault}, in step {step}"))?;
            }
        }
    }
    Ok(tally)
}

fn fault(call: &Syscall, nth: u64, random: &mut Rng) -> SyscallFault {
    let is_full = WRITES.contains(&call.name.as_str()) && random.u8(..4) == 0;
    SyscallFault { call: call.name.clone(), error: if is_full { FULL } else { FATAL }, nth, for_ever: random.bool() }
}

/// Steps of a writer: it opens the store, calls its operations, and closes it.
struct Script {
    seed: u64,
    /// Calls of each step.
    steps: Vec<Vec<Syscall>>,
    /// Files on which they are made.
    paths: BTreeSet<String>,
}

impl Script {
    /// Runs the script without a fault and records its calls.
    fn record(cycle: &ScenarioCycle<'_>, seed: u64) -> Result<Self> {
        let folder = emptied(cycle.folder)?;
        let store = folder.join("store");
        let mut writer = start(cycle, &store, seed, false)?;
        let strace = Strace::record(writer.id(), &cycle.folder.join("log"))?;
        let (mut steps, mut known) = (Vec::new(), 0);
        for _ in 0..=OPERATIONS {
            writer.step()?;
            let log = strace.log()?;
            steps.push(calls(&log[known..], &folder));
            known = log.len();
        }
        let (written, status, complaint) = writer.end()?;
        ensure!(status.success() && written.acknowledged == [OPERATIONS], "it fails: {complaint}");
        let log = fs::read_to_string(cycle.folder.join("log"))?;
        strace.end()?;
        steps.push(calls(&log[known..], &folder));
        Ok(Self { seed, steps, paths: paths(&log, &folder) })
    }

    /// Runs the script with a fault in this step.
    fn run(&self, cycle: &ScenarioCycle<'_>, step: usize, fault: &SyscallFault, tally: &mut CycleResult) -> Result<()> {
        let folder = emptied(cycle.folder)?;
        let store = folder.join("store");
        let mut writer = start(cycle, &store, self.seed, fault.error == FATAL)?;
        for _ in 0..step {
            writer.step()?;
        }
        let strace = Strace::inject(writer.id(), &cycle.folder.join("log"), &self.paths, fault)?;
        let (written, status, complaint) = writer.end()?;
        tally.units += 1;
        let (is_met, is_change) = (strace.end()?, CHANGES.contains(&fault.call.as_str()));
        if !is_met {
            tally.count("not met this time", 1);
        } else if status.success() {
            // If a log remains, the error occurred after the last reply, and the log holds all acknowledged operations.
            let is_in_the_log = StorePaths::for_store(&store).logs.iter().any(|log| log.exists());
            let may_go_on = fault.error == FULL || step == self.steps.len() - 1 || !is_change || is_in_the_log;
            ensure!(may_go_on, "the writer goes on as if nothing had happened");
            tally.count("survived", 1);
        } else {
            let named = if fault.error == FULL { "No space left on device" } else { "Input/output error" };
            ensure!(!is_change || complaint.contains(named), "the writer does not name the error: {complaint}");
            tally.count("ended the writer", 1);
        }
        let mut history = WriteHistory::default();
        history.add(written);
        history.check(cycle.subject, &store).context(complaint)?;
        Ok(())
    }
}

/// Starts a writer that waits for its first step.
fn start(cycle: &ScenarioCycle<'_>, store: &Path, seed: u64, stubborn: bool) -> Result<WriterProcess> {
    let mut launch = WriterConfig::new(cycle, store, seed, 1);
    launch.operations = Some(OPERATIONS);
    launch.stepwise = true;
    launch.stubborn = stubborn;
    WriterProcess::start(&launch)
}

/// Returns the directory of the store, emptied.
fn emptied(folder: &Path) -> Result<PathBuf> {
    let folder = folder.join("files");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir(&folder)?;
    Ok(folder)
}
