//! Scenario: power cuts, by shutting down an ext4 file system under a process that writes.

use super::requirements;
use crate::harness::{Backend, WriteHistory, WriterConfig, WriterProcess, pause, time_until_fault};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use crate::sources::Tried;
use anyhow::{Context, Error, Result};
use std::path::Path;
use voight_tests::disk::Disk;

/// Number of cuts of one store. The first one affects a new store.
const CUTS: u64 = 5;
const THREADS: usize = 4;
const MEBIBYTES: u64 = 96;
/// Usual maximum lifetime of a process before the cut, in milliseconds.
const LIFE: u64 = 80;

pub(super) const SCENARIO: Scenario = Scenario {
    name: "power-cut",
    about: "power cut under a writing process: every acknowledged write is stored once, and no record is corrupt",
    unit: "power cuts",
    backends: Backend::ALL,
    tried: Tried::Store,
    ci_volume: 12,
    full_volume: 5_000,
    unmet_requirement: requirements::disk,
    run,
    expects_loss: false,
};

/// Power cut of sled without the sync that the adapter adds to its flush; a tracer suppresses that system call.
pub(super) const UNSYNCED: Scenario = Scenario {
    name: "power-cut-unsynced",
    about: "power cut without the adapter's extra sync: acknowledged writes must be lost",
    unit: "power cuts",
    backends: &[Backend::Sled],
    tried: Tried::Store,
    ci_volume: 5,
    full_volume: 50,
    unmet_requirement: || requirements::disk().or_else(requirements::tracer),
    run: run_unsynced,
    expects_loss: true,
};

fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let mut random = cycle.random();
    let disk = Disk::mount(cycle.dir, MEBIBYTES).map_err(Error::msg)?;
    let store = disk.path().join("store");
    let mut history = WriteHistory::default();
    let mut result = CycleResult::default();
    for number in 0..CUTS {
        let config = WriterConfig::new(cycle, &store, random.u64(..), THREADS);
        let mut writer = WriterProcess::start(&config)?;
        // One in ten is cut while the store is opened, which is when an earlier cut is being recovered.
        if random.u8(..10) > 0 {
            writer.wait_until_ready()?;
        }
        cut(
            &disk,
            writer,
            time_until_fault(&mut random, LIFE),
            &mut history,
        )?;
        result = history
            .check(cycle.backend, &store)
            .with_context(|| format!("after cut {}", number + 1))?;
    }
    result.volume = CUTS;
    result.acknowledge(history.acknowledged())?;
    Ok(result)
}

fn run_unsynced(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let mut random = cycle.random();
    let disk = Disk::mount(cycle.dir, MEBIBYTES).map_err(Error::msg)?;
    let store = disk.path().join("store");
    let mut config = WriterConfig::new(cycle, &store, random.u64(..), THREADS);
    // The tracer is a grandchild (`-D`), so that the writer is killed after the cut. A writer that outlives its tracer
    // continues on a lost disk, and sled may then wait forever.
    let tracer = [
        "strace",
        "-D",
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        "trace=fsync",
        "-e",
        "inject=fsync:retval=0",
    ];
    config.wrapper = tracer.map(Into::into).to_vec();
    let mut history = WriteHistory::default();
    let mut writer = WriterProcess::start(&config)?;
    writer.wait_until_ready()?;
    cut(
        &disk,
        writer,
        300_000 + random.u64(..LIFE * 1000),
        &mut history,
    )?;
    let mut result = CycleResult {
        volume: 1,
        lost: lost(cycle.backend, &store, &history),
        ..CycleResult::default()
    };
    result.count("acknowledged", history.acknowledged());
    Ok(result)
}

/// Lets a process write for `micros` microseconds, cuts the power, and restores it.
fn cut(disk: &Disk, writer: WriterProcess, micros: u64, history: &mut WriteHistory) -> Result<()> {
    pause(micros);
    disk.cut_power().map_err(Error::msg)?;
    history.add(writer.kill()?);
    disk.restore_power().map_err(Error::msg)
}

/// Returns the number of lost acknowledged operations: all, if the store does not open.
fn lost(backend: Backend, store: &Path, history: &WriteHistory) -> u64 {
    let result = backend
        .open(store)
        .and_then(|store| history.count_losses(store.as_ref()));
    result.map_or_else(|_| history.acknowledged(), |result| result.lost)
}
