//! Scenario: torn and reordered writes, with any part of the unsynced writes after a power cut at a sync.

use crate::harness::{Backend, ExpectedEntries, MemoryFile};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use crate::sources::Tried;
use anyhow::{Context, Result, ensure};
use fastrand::Rng;
use voight_engine::{Engine, PersistentEngine};

/// Number of batches that are written in a cycle.
const BATCHES: usize = 20;
/// Number of images of each sync.
const IMAGES: usize = 4;

pub(super) const SCENARIO: Scenario = Scenario {
    name: "torn",
    about: "torn and reordered writes at a sync: the last or the previous commit is complete, and writes continue",
    unit: "images",
    backends: &[Backend::Redb],
    tried: Tried::Store,
    ci_volume: 2_000,
    full_volume: 100_000,
    unmet_requirement: || None,
    run,
    expects_loss: false,
};

/// Writes successive batches, reopens the database from time to time, and tests images of every sync.
fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let mut random = cycle.random();
    let file = MemoryFile::default();
    let mut engine = file.open_redb()?;
    // A database that is only half created is recognised by its file's path, which the scenario `power-cut` tests.
    file.take_cuts();
    let mut entries = ExpectedEntries::default();
    let mut result = CycleResult::default();
    for number in 0..BATCHES {
        let batch = entries.batch(&mut random);
        engine.apply(&batch)?;
        let entries_after = entries.after_batch(&batch);
        cut(&file, [&entries, &entries_after], &mut random, &mut result)
            .with_context(|| format!("in batch {number}"))?;
        entries = entries_after;
        if random.u8(..8) == 0 {
            drop(engine);
            engine = file.open_redb()?;
            cut(&file, [&entries; 2], &mut random, &mut result)
                .with_context(|| format!("during the reopen after batch {number}"))?;
        }
    }
    Ok(result)
}

/// Cuts the power at every sync since the last call: each image must be one of two `states`.
fn cut(
    file: &MemoryFile,
    states: [&ExpectedEntries; 2],
    random: &mut Rng,
    result: &mut CycleResult,
) -> Result<()> {
    for (sync, cut) in file.take_cuts().iter().enumerate() {
        for image in 0..IMAGES {
            let [before, _] = states;
            let recovered_entries = recover(cut.image(random), states, random)
                .with_context(|| format!("image {image} of sync {sync}"))?;
            result.volume += 1;
            result.count("previous commit", u64::from(recovered_entries == *before));
        }
    }
    Ok(())
}

/// Opens the image of a power cut, continues with it, and returns its entries.
fn recover(
    image: Vec<u8>,
    states: [&ExpectedEntries; 2],
    random: &mut Rng,
) -> Result<ExpectedEntries> {
    let file = MemoryFile::holding(image);
    let mut engine = file.open_redb()?;
    let recovered_entries = ExpectedEntries::read_from(&engine)?;
    ensure!(
        states.contains(&&recovered_entries),
        "the contents match no commit"
    );
    for cut in file.take_cuts() {
        let second_engine = MemoryFile::holding(cut.image(random))
            .open_redb()
            .context("after a second power cut during recovery")?;
        ensure!(
            ExpectedEntries::read_from(&second_engine)? == recovered_entries,
            "a second power cut during recovery changed the contents"
        );
    }
    let batch = recovered_entries.batch(random);
    engine.apply(&batch)?;
    ensure!(
        ExpectedEntries::read_from(&engine)? == recovered_entries.after_batch(&batch),
        "a batch after the power cut is missing"
    );
    engine.check_structure()?;
    Ok(recovered_entries)
}
