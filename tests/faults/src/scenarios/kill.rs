//! Scenario: `kill -9` of a process that writes to a store.

use crate::harness::{Backend, WriteHistory, WriterConfig, WriterProcess, pause, time_until_fault};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use crate::sources::Tried;
use anyhow::{Context, Result};

/// Number of kills of one store; then a new one is created, which bounds the length of a cycle.
const KILLS: u64 = 20;
const THREADS: usize = 4;
/// Usual maximum lifetime of a process before it is killed, in milliseconds.
const LIFE: u64 = 60;

pub(super) const SCENARIO: Scenario = Scenario {
    name: "kill",
    about: "kill -9 of a writing process: every acknowledged write is stored once, and the store reopens",
    unit: "kills",
    backends: Backend::ALL,
    tried: Tried::Store,
    ci_volume: 30,
    full_volume: 10_000,
    unmet_requirement: || None,
    run,
    expects_loss: false,
};

fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let mut random = cycle.random();
    let store = cycle.dir.join("store");
    let mut history = WriteHistory::default();
    let mut result = CycleResult::default();
    for number in 0..KILLS {
        let seed = random.u64(..);
        let mut writer = WriterProcess::start(&WriterConfig::new(cycle, &store, seed, THREADS))?;
        // One in ten is killed while it opens the store, which is when an earlier kill is being recovered.
        if random.u8(..10) > 0 {
            writer.wait_until_ready()?;
        }
        pause(time_until_fault(&mut random, LIFE));
        history.add(writer.kill()?);
        result = history
            .check(cycle.backend, &store)
            .with_context(|| format!("after kill {}", number + 1))?;
    }
    result.volume = KILLS;
    result.acknowledge(history.acknowledged())?;
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::Harness;
    use crate::time_budget::TimeBudget;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    /// Writer that prints `ready` and writes nothing.
    const IDLE: &str = "#!/bin/sh\necho ready\nexec sleep 60\n";

    #[test]
    fn idle_writer_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("idle");
        fs::write(&program, IDLE).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        let harness = Harness { program };
        let cycle = ScenarioCycle {
            seed: 1,
            backend: Backend::Redb,
            remaining: KILLS,
            budget: TimeBudget::start(None),
            harness: &harness,
            dir: dir.path(),
        };
        let error = run(&cycle).unwrap_err().to_string();
        assert!(
            error.starts_with("only 0 operations were acknowledged in 20 faults"),
            "{error}"
        );
    }
}
