//! Scenario: every system call on the files of a store fails, one at a time.

use super::requirements;
use crate::harness::{
    Backend, Strace, Syscall, SyscallFault, WriteHistory, WriterConfig, WriterProcess, calls, paths,
};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use crate::sources::Tried;
use crate::time_budget::TimeBudget;
use anyhow::{Context, Result, ensure};
use fastrand::Rng;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use voight_embedded::StorePaths;

/// Number of operations of the script, of every kind. The store is opened before and closed after them.
const OPERATIONS: u64 = 9;
/// Fatal error of a call. A store survives `FULL`, which the scenario `full-disk` tests.
const FATAL: &str = "EIO";
const FULL: &str = "ENOSPC";
/// Calls that need space.
const WRITES: [&str; 3] = ["pwrite64", "write", "ftruncate"];
/// Calls without which a change is not durable. Other calls only read and may fail.
const CHANGES: [&str; 7] = [
    "pwrite64",
    "write",
    "ftruncate",
    "fsync",
    "fdatasync",
    "sync_file_range",
    "rename",
];

pub(super) const SCENARIO: Scenario = Scenario {
    name: "errors",
    about: "the n-th system call on a file fails once or permanently: nothing more is acknowledged, and the store reopens",
    unit: "errors",
    backends: Backend::ALL,
    tried: Tried::Store,
    ci_volume: 25,
    full_volume: 20_000,
    unmet_requirement: requirements::tracer,
    run,
    expects_loss: false,
};

/// Records a short script, then repeats it on a new store for each of its calls, with that call failing.
fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let mut random = cycle.random();
    let script = Script::record(cycle, random.u64(..)).context("script without a fault")?;
    let mut result = CycleResult::default();
    inject_each(&script.faults(&mut random), &cycle.budget, |step, fault| {
        script
            .run(cycle, step, fault, &mut result)
            .with_context(|| format!("{fault}, in step {step}"))
    })?;
    Ok(result)
}

/// Passes each fault with its step to `inject`, one after the other, until the time budget is spent.
fn inject_each(
    faults: &[(usize, SyscallFault)],
    budget: &TimeBudget,
    mut inject: impl FnMut(usize, &SyscallFault) -> Result<()>,
) -> Result<()> {
    faults
        .iter()
        .take_while(|_| !budget.is_spent())
        .try_for_each(|(step, fault)| inject(*step, fault))
}

fn fault(call: &Syscall, nth: u64, random: &mut Rng) -> SyscallFault {
    let is_full = WRITES.contains(&call.name.as_str()) && random.u8(..4) == 0;
    SyscallFault {
        call: call.name.clone(),
        error: if is_full { FULL } else { FATAL },
        nth,
        permanent: random.bool(),
    }
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
        let dir = emptied(cycle.dir)?;
        let store = dir.join("store");
        let mut writer = WriterProcess::start(&config(cycle, &store, seed))?;
        let strace = Strace::record(writer.id(), &cycle.dir.join("log"))?;
        let mut steps = Vec::new();
        let mut log_length = 0;
        for _ in 0..=OPERATIONS {
            writer.step()?;
            let log = strace.log()?;
            steps.push(calls(&log[log_length..], &dir));
            log_length = log.len();
        }
        let (written, status, stderr) = writer.end()?;
        ensure!(
            status.success() && written.acknowledged == [OPERATIONS],
            "the script fails without a fault: {stderr}"
        );
        let log = fs::read_to_string(cycle.dir.join("log"))?;
        strace.end()?;
        steps.push(calls(&log[log_length..], &dir));
        Ok(Self {
            seed,
            steps,
            paths: paths(&log, &dir),
        })
    }

    /// Returns the faults of a cycle: each call of each step fails once, or from then on.
    fn faults(&self, random: &mut Rng) -> Vec<(usize, SyscallFault)> {
        let mut faults = Vec::new();
        for (step, calls) in self.steps.iter().enumerate() {
            for call in calls {
                faults.extend((1..=call.times).map(|nth| (step, fault(call, nth, random))));
            }
        }
        faults
    }

    /// Runs the script with a fault in this step.
    fn run(
        &self,
        cycle: &ScenarioCycle<'_>,
        step: usize,
        fault: &SyscallFault,
        result: &mut CycleResult,
    ) -> Result<()> {
        let dir = emptied(cycle.dir)?;
        let store = dir.join("store");
        let mut config = config(cycle, &store, self.seed);
        config.continue_on_error = fault.error == FATAL;
        let mut writer = WriterProcess::start(&config)?;
        for _ in 0..step {
            writer.step()?;
        }
        let strace = Strace::inject(writer.id(), &cycle.dir.join("log"), &self.paths, fault)?;
        let (written, status, stderr) = writer.end()?;
        result.volume += 1;
        let is_triggered = strace.end()?;
        let is_change = CHANGES.contains(&fault.call.as_str());
        if !is_triggered {
            result.count("not triggered", 1);
        } else if status.success() {
            // If a log remains, the error occurred after the last reply, and the log holds all acknowledged operations.
            let is_in_the_log = StorePaths::for_store(&store)
                .logs
                .iter()
                .any(|log| log.exists());
            let may_succeed =
                fault.error == FULL || step == self.steps.len() - 1 || !is_change || is_in_the_log;
            ensure!(may_succeed, "the writer succeeded in spite of the fault");
            result.count("survived", 1);
        } else {
            let message = if fault.error == FULL {
                "No space left on device"
            } else {
                "Input/output error"
            };
            ensure!(
                !is_change || stderr.contains(message),
                "the writer does not report the error: {stderr}"
            );
            result.count("writer terminated", 1);
        }
        let mut history = WriteHistory::default();
        history.add(written);
        history.check(cycle.backend, &store).context(stderr)?;
        Ok(())
    }
}

/// Returns the configuration of a writer that waits for each step.
fn config<'a>(cycle: &'a ScenarioCycle<'_>, store: &'a Path, seed: u64) -> WriterConfig<'a> {
    let mut config = WriterConfig::new(cycle, store, seed, 1);
    config.operations = Some(OPERATIONS);
    config.stepwise = true;
    config
}

/// Returns the directory of the store, emptied.
fn emptied(dir: &Path) -> Result<PathBuf> {
    let dir = dir.join("files");
    if dir.exists() {
        fs::remove_dir_all(&dir)?;
    }
    fs::create_dir(&dir)?;
    Ok(dir)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn cycle_ends_when_its_time_is_spent() {
        let call = Syscall {
            name: "fsync".to_owned(),
            times: 3,
        };
        let script = Script {
            seed: 1,
            steps: vec![Vec::new(), vec![call]],
            paths: BTreeSet::new(),
        };
        let faults = script.faults(&mut Rng::with_seed(1));
        let injected_faults = |budget: Option<Duration>| {
            let mut number = 0;
            inject_each(&faults, &TimeBudget::start(budget), |step, _| {
                assert_eq!(step, 1);
                number += 1;
                Ok(())
            })
            .unwrap();
            number
        };
        assert_eq!(injected_faults(None), 3);
        assert_eq!(injected_faults(Some(Duration::ZERO)), 0);
    }
}
