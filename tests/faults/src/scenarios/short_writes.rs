//! Scenario: partial writes, failing syncs and failing changes of length, within redb.

use crate::harness::{Backend, ExpectedEntries, InjectedIoFault, MemoryFile};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use anyhow::{Context, Result, ensure};
use fastrand::Rng;
use voight_embedded::{Engine, EngineError};
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

pub(super) const ROW: Scenario = Scenario {
    name: "short-writes",
    about: "a write that is done in part and fails, once or for ever: nothing more is written, and the commit is there whole or not at all",
    unit: "errors",
    subjects: &[Backend::Redb],
    ci_units: 1_000,
    goal: 20_000,
    unmet_requirement: || None,
    run,
    expects_loss: false,
};

fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let mut random = cycle.random();
    let mut tally = CycleResult::new(FAULTS);
    for _ in 0..FAULTS {
        let fault = InjectedIoFault {
            after: random.u64(..CALLS),
            for_ever: random.bool(),
            error: if random.bool() { EIO } else { ENOSPC },
            done: random.u8(..),
        };
        let outcome = meet(&fault, &mut random).with_context(|| format!("{fault:?}"))?;
        tally.count(outcome, 1);
    }
    Ok(tally)
}

/// Writes until the fault occurs, and examines the result.
fn meet(fault: &InjectedIoFault, random: &mut Rng) -> Result<&'static str> {
    let file = MemoryFile::default();
    let engine = file.open_redb()?;
    let mut entries = ExpectedEntries::default();
    for number in 0..BATCHES {
        if number == BEFORE {
            file.fail(Some(fault.clone()));
        }
        let batch = entries.batch(random);
        let after = entries.after_batch(&batch);
        if let Err(error) = engine.apply(&batch) {
            let states = [&entries, &after];
            return if fault.error == EIO {
                after_an_error(&engine, &file, &error, states, random)
            } else {
                without_space(&engine, &file, &error, states, random)
            };
        }
        entries = after;
    }
    ensure!(ExpectedEntries::read_from(&engine)? == entries, "an entry is not as it was written");
    Ok("not met")
}

/// Verifies that writing has stopped, and that a restart or a power cut leaves one of two states.
///
/// The two states are those before and after the batch.
fn after_an_error(
    engine: &RedbEngine,
    file: &MemoryFile,
    error: &EngineError,
    states: [&ExpectedEntries; 2],
    random: &mut Rng,
) -> Result<&'static str> {
    ensure!(matches!(error, EngineError::Io(_)), "the error is {error:?}");
    ensure!(engine.apply(&states[0].batch(random)).is_err(), "a batch is written after one has failed");
    file.fail(None);
    ensure!(
        engine.apply(&states[0].batch(random)).is_err(),
        "a batch is written after one has failed, without a restart"
    );
    let image = MemoryFile::holding(file.power_cut().image(random));
    check(&image.open_redb().context("after a power cut")?, states, random).context("after a power cut")?;
    Ok("fatal")
}

/// Verifies that the database is reopened in place once space is available.
fn without_space(
    engine: &RedbEngine,
    file: &MemoryFile,
    error: &EngineError,
    states: [&ExpectedEntries; 2],
    random: &mut Rng,
) -> Result<&'static str> {
    ensure!(matches!(error, EngineError::Full(_)), "the error is {error:?}");
    file.fail(None);
    engine.recover()?;
    check(engine, states, random)?;
    Ok("full")
}

/// Verifies that one of two states is stored, and that another batch can be written.
fn check(engine: &RedbEngine, states: [&ExpectedEntries; 2], random: &mut Rng) -> Result<()> {
    let found = ExpectedEntries::read_from(engine)?;
    ensure!(states.contains(&&found), "what is there is of no commit");
    let batch = found.batch(random);
    engine.apply(&batch)?;
    ensure!(
        ExpectedEntries::read_from(engine)? == found.after_batch(&batch),
        "what was written afterwards is not there"
    );
    Ok(())
}
