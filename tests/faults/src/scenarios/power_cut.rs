//! Scenario: power cuts, by shutting down an ext4 file system under a process that writes.

use super::requirements;
use crate::harness::{Backend, WriteHistory, WriterConfig, WriterProcess, pause};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use anyhow::{Context, Error, Result};
use std::path::Path;
use voight_tests::disk::Disk;

/// Number of cuts of one store. The first one affects a store that was only just created.
const CUTS: u64 = 5;
const THREADS: usize = 4;
const MEBIBYTES: u64 = 96;
/// Maximum lifetime of a process before the cut, in milliseconds.
const LIFE: u64 = 80;

pub(super) const ROW: Scenario = Scenario {
    name: "power-cut",
    about: "power cut under a process that writes: what it acknowledged is stored, once, and every record is whole",
    unit: "power cuts",
    subjects: Backend::ALL,
    ci_units: 50,
    goal: 5_000,
    unmet_requirement: requirements::disk,
    run,
    expects_loss: false,
};

/// sled without the sync that the adapter adds to its flush. A tracer suppresses that system call.
pub(super) const UNSYNCED: Scenario = Scenario {
    name: "power-cut-unsynced",
    about: "the same with the adapter's extra sync taken away: has to lose what was acknowledged",
    unit: "power cuts",
    subjects: &[Backend::Sled],
    ci_units: 5,
    goal: 50,
    unmet_requirement: || requirements::disk().or_else(requirements::tracer),
    run: run_unsynced,
    expects_loss: true,
};

fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let mut random = cycle.random();
    let disk = Disk::mount(cycle.folder, MEBIBYTES).map_err(Error::msg)?;
    let store = disk.path().join("store");
    let (mut history, mut tally) = (WriteHistory::default(), CycleResult::default());
    for number in 0..CUTS {
        let launch = WriterConfig::new(cycle, &store, random.u64(..), THREADS);
        // One in ten is cut while the store is opened, which is when an earlier cut is being recovered.
        let is_ready = random.u8(..10) > 0;
        cut(&disk, &launch, is_ready, random.u64(..LIFE * 1000), &mut history)?;
        tally = history.check(cycle.subject, &store).with_context(|| format!("after cut {}", number + 1))?;
    }
    tally.units = CUTS;
    tally.acknowledge(history.acknowledged())?;
    Ok(tally)
}

fn run_unsynced(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let mut random = cycle.random();
    let disk = Disk::mount(cycle.folder, MEBIBYTES).map_err(Error::msg)?;
    let store = disk.path().join("store");
    let mut launch = WriterConfig::new(cycle, &store, random.u64(..), THREADS);
    // As a grandchild (`-D`), so that the writer is killed after the cut: a writer that outlives its tracer continues on a
    // lost
    // disk, and sled may then wait forever.
    let tracer = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e", "inject=fsync:retval=0"];
    launch.through = tracer.map(Into::into).to_vec();
    let mut history = WriteHistory::default();
    cut(&disk, &launch, true, 300_000 + random.u64(..LIFE * 1000), &mut history)?;
    let mut tally = CycleResult { units: 1, lost: lost(cycle.subject, &store, &history), ..CycleResult::default() };
    tally.count("acknowledged", history.acknowledged());
    Ok(tally)
}

/// Lets a process write for `micros` microseconds, cuts the power, and restores it.
fn cut(disk: &Disk, launch: &WriterConfig<'_>, is_ready: bool, micros: u64, history: &mut WriteHistory) -> Result<()> {
    let mut writer = WriterProcess::start(launch)?;
    if is_ready {
        writer.wait_until_ready()?;
    }
    pause(micros);
    disk.cut_power().map_err(Error::msg)?;
    history.add(writer.kill()?);
    disk.restore_power().map_err(Error::msg)
}

/// Returns the number of lost acknowledged operations: all, if the store does not open.
fn lost(subject: Backend, store: &Path, history: &WriteHistory) -> u64 {
    let tally = subject.open(store).and_then(|store| history.tally(store.as_ref()));
    tally.map_or_else(|_| history.acknowledged(), |tally| tally.lost)
}
