//! Scenario: partial writes, failing syncs and failing changes of length, within redb.

use crate::harness::{Backend, ExpectedEntries, InjectedIoFault, MemoryFile};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use crate::sources::Tried;
use anyhow::{Context, Result, ensure};
use fastrand::Rng;
use voight_engine::{Engine, EngineError};
use voight_redb::RedbEngine;

/// Number of faults of one cycle, each in its own database.
const FAULTS: u64 = 50;
/// Number of batches before the fault is planned.
const BEFORE: usize = 3;
const BATCHES: usize = 20;
/// Number of calls within which the fault occurs.
const CALLS: u64 = 80;
const EIO: i32 = 5;
const ENOSPC: i32 = 28;

pub(super) const SCENARIO: Scenario = Scenario {
    name: "short-writes",
    about: "a write fails partially, once or permanently: nothing more is written, and the commit is stored completely or not at all",
    unit: "errors",
    backends: &[Backend::Redb],
    tried: Tried::Store,
    ci_volume: 1_000,
    full_volume: 20_000,
    unmet_requirement: || None,
    run,
    expects_loss: false,
};

fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let mut random = cycle.random();
    let mut result = CycleResult::new(FAULTS);
    for _ in 0..FAULTS {
        let fault = InjectedIoFault {
            after: random.u64(..CALLS),
            permanent: random.bool(),
            error: if random.bool() { EIO } else { ENOSPC },
            written: random.u8(..),
        };
        let outcome = run_fault(&fault, &mut random).with_context(|| format!("{fault:?}"))?;
        result.count(outcome, 1);
    }
    Ok(result)
}

/// Writes until the fault occurs, and examines the result.
fn run_fault(fault: &InjectedIoFault, random: &mut Rng) -> Result<&'static str> {
    let file = MemoryFile::default();
    let engine = file.open_redb()?;
    let mut entries = ExpectedEntries::default();
    for number in 0..BATCHES {
        if number == BEFORE {
            file.fail(Some(fault.clone()));
        }
        let batch = entries.batch(random);
        let entries_after = entries.after_batch(&batch);
        if let Err(error) = engine.apply(&batch) {
            let states = [&entries, &entries_after];
            return if fault.error == EIO {
                verify_fail_stop(&engine, &file, &error, states, random)
            } else {
                verify_full_disk(&engine, &file, &error, states, random)
            };
        }
        entries = entries_after;
    }
    ensure!(
        ExpectedEntries::read_from(&engine)? == entries,
        "an entry differs from what was written"
    );
    Ok("not triggered")
}

/// Verifies that writing has stopped, and that a restart or a power cut leaves one of two states.
///
/// The two states are those before and after the batch.
fn verify_fail_stop(
    engine: &RedbEngine,
    file: &MemoryFile,
    error: &EngineError,
    states: [&ExpectedEntries; 2],
    random: &mut Rng,
) -> Result<&'static str> {
    ensure!(
        matches!(error, EngineError::Io(_)),
        "the error is {error:?}"
    );
    ensure!(
        engine.apply(&states[0].batch(random)).is_err(),
        "a batch is accepted after a failed one"
    );
    file.fail(None);
    ensure!(
        engine.apply(&states[0].batch(random)).is_err(),
        "a batch is accepted after a failed one without a restart"
    );
    let image = MemoryFile::holding(file.power_cut().image(random));
    check(
        &image.open_redb().context("after a power cut")?,
        states,
        random,
    )
    .context("after a power cut")?;
    Ok("fatal")
}

/// Verifies that the database is reopened in place once space is available.
fn verify_full_disk(
    engine: &RedbEngine,
    file: &MemoryFile,
    error: &EngineError,
    states: [&ExpectedEntries; 2],
    random: &mut Rng,
) -> Result<&'static str> {
    ensure!(
        matches!(error, EngineError::Full(_)),
        "the error is {error:?}"
    );
    file.fail(None);
    engine.recover()?;
    check(engine, states, random)?;
    Ok("full")
}

/// Verifies that one of two states is stored, and that another batch can be written.
fn check(engine: &RedbEngine, states: [&ExpectedEntries; 2], random: &mut Rng) -> Result<()> {
    let recovered_entries = ExpectedEntries::read_from(engine)?;
    ensure!(
        states.contains(&&recovered_entries),
        "the contents match no commit"
    );
    let batch = recovered_entries.batch(random);
    engine.apply(&batch)?;
    ensure!(
        ExpectedEntries::read_from(engine)? == recovered_entries.after_batch(&batch),
        "a later batch is missing"
    );
    Ok(())
}
