//! A flipped bit anywhere in the files of a store.

use crate::rig::{Account, Asked, Operation, Questions, Reply, StoreImage, Subject, ram_folder};
use crate::row::{Cycle, Row, Tally};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Operations that fill a store, once in a cycle.
const OPERATIONS: u64 = 60;
/// Flips of one bit each, every one in a copy of its own.
const FLIPS: u64 = 50;
const STORE: &str = "store";

pub(super) const ROW: Row = Row {
    name: "bit-flips",
    about: "a flipped bit in any file: never a wrong value, but the right one, an error, or a record hidden that verify names",
    unit: "flips",
    subjects: Subject::ALL,
    in_ci: 500,
    goal: 10_000,
    missing: || None,
    run,
    has_to_lose: false,
};

fn run(cycle: &Cycle<'_>) -> Result<Tally> {
    let mut random = cycle.random();
    let (whole, flipped) = (ram_folder()?, ram_folder()?);
    let (mut image, questions) = fill(cycle, random.bool())?;
    image.write(whole.path(), None)?;
    let store = whole.path().join(STORE);
    image.locate(&cycle.subject.entries(&store)?);
    let intact = ask(cycle.subject, &store, &questions)?;
    let mut tally = Tally::of(FLIPS);
    for _ in 0..FLIPS {
        let (bit, folder) = (image.choose(&mut random), flipped.path().join("copy"));
        image.write(&folder, Some(&bit))?;
        let outcome = judge(cycle.subject, &folder.join(STORE), &questions, &intact);
        let outcome = outcome.with_context(|| image.name(&bit))?;
        tally.count(outcome, 1);
        tally.count(&format!("of class {}", bit.class), 1);
        fs::remove_dir_all(folder)?;
    }
    Ok(tally)
}

/// The files of a store with something in every table, closed, or else as a kill would leave them. It was opened twice: some
/// databases keep apart what is older than their last opening.
fn fill(cycle: &Cycle<'_>, is_closed: bool) -> Result<(StoreImage, Questions)> {
    let folder = ram_folder()?;
    let open = || cycle.subject.open(&folder.path().join(STORE));
    let mut store = open()?;
    let account = Account::settle(store.as_ref())?;
    let operations: Vec<_> = (0..OPERATIONS).map(|number| Operation::at(&account, cycle.seed, 0, number)).collect();
    let (older, newer) = operations.split_at(operations.len() / 2);
    older.iter().try_for_each(|operation| operation.clone().call(store.as_ref()))?;
    drop(store);
    store = open()?;
    newer.iter().try_for_each(|operation| operation.clone().call(store.as_ref()))?;
    let still_open = (!is_closed).then_some(store);
    let image = StoreImage::read(folder.path())?;
    drop(still_open);
    Ok((image, Questions::about(account, &operations)))
}

fn ask(subject: Subject, path: &Path, questions: &Questions) -> Result<Vec<Asked>> {
    let store = subject.open(path)?;
    let asked = questions.ask(store.as_ref());
    drop(store);
    Ok(asked)
}

/// What came of a flip. An error is a wrong value, or something hidden that nobody names.
fn judge(subject: Subject, path: &Path, questions: &Questions, intact: &[Asked]) -> Result<&'static str> {
    let found = match catch_unwind(AssertUnwindSafe(|| ask(subject, path, questions))) {
        Err(_) => return Ok("panics"),
        Ok(Err(_)) => return Ok("refused when opened"),
        Ok(Ok(found)) => found,
    };
    if found == intact {
        return Ok("harmless");
    }
    let mut hidden = None;
    for (found, intact) in found.iter().zip(intact) {
        match (&found.answer, &intact.answer) {
            (Reply::Known(some), Reply::Known(all)) if some.len() < all.len() && are_in_order(some, all) => {
                hidden = Some(&found.question);
            }
            (Reply::Known(wrong), _) if found != intact => bail!("the answer to {:?} is {wrong:?}", found.question),
            _ => {}
        }
    }
    if let Some(question) = hidden {
        let named = subject.verify(path).map_or(true, |report| report.damaged > 0);
        ensure!(named, "something of the answer to {question:?} is gone, and verify names nothing");
        return Ok("hidden and named");
    }
    let panicked = found.iter().any(|asked| asked.answer == Reply::Panic);
    Ok(if panicked { "panics" } else { "errors" })
}

/// Whether `some` is what is left of `all` when some things are taken out.
fn are_in_order(some: &[String], all: &[String]) -> bool {
    let mut all = all.iter();
    some.iter().all(|thing| all.any(|other| other == thing))
}
