//! Torn and reordered writes: the power fails at a sync, and any part of what was not synced is there.

use crate::rig::{MemoryFile, Subject};
use crate::row::{Cycle, Row, Tally};
use anyhow::{Context, Result, ensure};
use fastrand::Rng;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use voight_redb::RedbEngine;
use voight_store::{Batch, Engine, OnDisk, Order, Read};

/// Batches that are written in a cycle.
const BATCHES: usize = 20;
/// Images of each sync.
const IMAGES: usize = 4;
/// Less than the database, so that pages are also written early and read back.
const CACHE: usize = 256 << 10;
/// Different keys; few, so that most of them are written more than once.
const KEYS: u16 = 400;

pub(super) const ROW: Row = Row {
    name: "torn",
    about: "torn and reordered writes at a sync: the last commit is there or the one before, whole, and writing goes on",
    unit: "images",
    subjects: &[Subject::Redb],
    in_ci: 5_000,
    goal: 100_000,
    missing: || None,
    run,
    has_to_lose: false,
};

/// What has to be in the database, kept apart from it.
type Entries = BTreeMap<Vec<u8>, Vec<u8>>;

/// Writes batches one after the other, and reopens the database now and then. Of every sync on the way, images are made.
fn run(cycle: &Cycle<'_>) -> Result<Tally> {
    let mut random = cycle.random();
    let file = MemoryFile::default();
    let mut engine = open(&file)?;
    // A database that is only half created is recognised by its file's path; the row `power-cut` sees to that.
    file.take_cuts();
    let (mut entries, mut tally) = (Entries::new(), Tally::default());
    for number in 0..BATCHES {
        let batch = batch(&entries, &mut random);
        engine.apply(&batch)?;
        let after = with(&entries, &batch);
        cut(&file, [&entries, &after], &mut random, &mut tally).with_context(|| format!("in batch {number}"))?;
        entries = after;
        if random.u8(..8) == 0 {
            drop(engine);
            engine = open(&file)?;
            cut(&file, [&entries; 2], &mut random, &mut tally)
                .with_context(|| format!("while it was reopened after batch {number}"))?;
        }
    }
    Ok(tally)
}

/// Cuts the power at every sync since the last time: what is found has to be one of two `states`.
fn cut(file: &MemoryFile, states: [&Entries; 2], random: &mut Rng, tally: &mut Tally) -> Result<()> {
    for (sync, cut) in file.take_cuts().iter().enumerate() {
        for image in 0..IMAGES {
            let [before, _] = states;
            let found =
                recover(cut.image(random), states, random).with_context(|| format!("image {image} of sync {sync}"))?;
            tally.units += 1;
            tally.count("the commit before", u64::from(found == *before));
        }
    }
    Ok(())
}

/// Opens what a power cut has left, and goes on with it; what was found.
fn recover(image: Vec<u8>, states: [&Entries; 2], random: &mut Rng) -> Result<Entries> {
    let file = MemoryFile::holding(image);
    let mut engine = open(&file)?;
    let found = read(&engine)?;
    ensure!(states.contains(&&found), "{} entries are those of no commit", found.len());
    for cut in file.take_cuts() {
        let again = open(&MemoryFile::holding(cut.image(random))).context("after a second cut, while it was opened")?;
        ensure!(read(&again)? == found, "a second cut, while it was opened, has changed what is there");
    }
    let batch = batch(&found, random);
    engine.apply(&batch)?;
    ensure!(read(&engine)? == with(&found, &batch), "what was written after the cut is not there");
    engine.check_structure()?;
    Ok(found)
}

fn open(file: &MemoryFile) -> Result<RedbEngine> {
    RedbEngine::on_backend(file.clone(), Path::new("the image"), CACHE).context("it does not open")
}

fn read(engine: &RedbEngine) -> Result<Entries> {
    let mut entries = Entries::new();
    engine.snapshot()?.range(&[], &[u8::MAX; 2], Order::Ascending, &mut |key, value| {
        entries.insert(key.to_vec(), value.to_vec());
        ControlFlow::Continue(())
    })?;
    Ok(entries)
}

/// The entries after a batch.
fn with(entries: &Entries, batch: &Batch) -> Entries {
    let mut after = entries.clone();
    for (key, value) in batch.iter() {
        match value {
            Some(value) => after.insert(key.to_vec(), value.to_vec()),
            None => after.remove(key),
        };
    }
    after
}

/// A few changes, of sizes as records have them. One batch in eight takes half of everything away.
fn batch(entries: &Entries, random: &mut Rng) -> Batch {
    let mut batch = Batch::default();
    if random.u8(..8) == 0 {
        entries.keys().filter(|_| random.bool()).for_each(|key| batch.remove(key.clone()));
    }
    for _ in 0..random.u8(1..40) {
        let number = random.u16(..KEYS);
        let key = [&number.to_be_bytes()[..], &vec![7; usize::from(number % 60)]].concat();
        if random.u8(..4) == 0 {
            batch.remove(key);
        } else {
            batch.put(key, value(random));
        }
    }
    batch
}

/// Most are as small as a verdict, some fill several pages as evidence does.
fn value(random: &mut Rng) -> Vec<u8> {
    let length = match random.u8(..100) {
        0 => random.usize(..30_000),
        1..10 => random.usize(..5_000),
        _ => random.usize(..200),
    };
    vec![random.u8(..); length]
}
