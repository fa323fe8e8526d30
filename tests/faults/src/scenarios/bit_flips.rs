//! Scenario: a flipped bit anywhere in the files of a store.

use crate::harness::{Backend, Operation, QueryResult, Reply, StoreImage, StoreQueries, TestAccount, tmpfs_dir};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use voight_contract::message_of;

/// Number of operations that fill a store, once per cycle.
const OPERATIONS: u64 = 60;
/// Number of flips per cycle, of one bit each, every one in its own copy.
const FLIPS: u64 = 50;
const STORE: &str = "store";
/// Maximum attempts to get, by a kill, WAL entries that are not in the database.
const ATTEMPTS: usize = 5;

pub(super) const ROW: Scenario = Scenario {
    name: "bit-flips",
    about: "a flipped bit in any file: never a wrong value or a panic, but the right value, an error, or a record hidden that verify names",
    unit: "flips",
    subjects: Backend::ALL,
    ci_units: 500,
    goal: 10_000,
    unmet_requirement: || None,
    run,
    expects_loss: false,
};

fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let mut random = cycle.random();
    let (whole, flipped) = (tmpfs_dir()?, tmpfs_dir()?);
    let (mut image, questions) = if random.bool() { fill(cycle, true)? } else { fill_and_kill(cycle)? };
    image.write(whole.path(), None)?;
    let store = whole.path().join(STORE);
    image.locate(&cycle.subject.entries(&store)?);
    let intact = query_store(cycle.subject, &store, &questions)?;
    let mut tally = CycleResult::new(FLIPS);
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

/// Returns the files of a store with entries in every table, closed or as after a kill.
///
/// The store was opened twice, because some databases separate data that is older than their last opening.
fn fill(cycle: &ScenarioCycle<'_>, is_closed: bool) -> Result<(StoreImage, StoreQueries)> {
    let folder = tmpfs_dir()?;
    let open = || cycle.subject.open(&folder.path().join(STORE));
    let mut store = open()?;
    let account = TestAccount::find_or_create(store.as_ref())?;
    let operations: Vec<_> = (0..OPERATIONS).map(|number| Operation::derive(&account, cycle.seed, 0, number)).collect();
    let (older, newer) = operations.split_at(operations.len() / 2);
    older.iter().try_for_each(|operation| operation.clone().call(store.as_ref()))?;
    drop(store);
    store = open()?;
    newer.iter().try_for_each(|operation| operation.clone().call(store.as_ref()))?;
    let still_open = (!is_closed).then_some(store);
    let image = StoreImage::read(folder.path())?;
    drop(still_open);
    Ok((image, StoreQueries::about(account, &operations)))
}

/// Returns the store of a killed process. Entries of its write-ahead log are not in the database yet.
fn fill_and_kill(cycle: &ScenarioCycle<'_>) -> Result<(StoreImage, StoreQueries)> {
    for _ in 0..ATTEMPTS {
        let (image, questions) = fill(cycle, false)?;
        ensure!(cycle.subject != Backend::Redb || image.has_log(), "a kill has left no write-ahead log");
        if !image.has_log() || is_behind(cycle.subject, &image, &questions)? {
            return Ok((image, questions));
        }
    }
    bail!("{ATTEMPTS} times a checkpoint came before the kill: no flip would meet an entry that is needed")
}

/// Returns `true` if the database lacks entries of its log: without the log, its replies differ.
fn is_behind(subject: Backend, image: &StoreImage, questions: &StoreQueries) -> Result<bool> {
    let (complete, without) = (tmpfs_dir()?, tmpfs_dir()?);
    image.write(complete.path(), None)?;
    image.without_log_entries().write(without.path(), None)?;
    let intact = query_store(subject, &complete.path().join(STORE), questions)?;
    Ok(query_store(subject, &without.path().join(STORE), questions).map_or(true, |found| found != intact))
}

fn query_store(subject: Backend, path: &Path, questions: &StoreQueries) -> Result<Vec<QueryResult>> {
    let store = subject.open(path)?;
    let asked = questions.run_queries(store.as_ref());
    drop(store);
    Ok(asked)
}

/// Returns the outcome of a flip.
///
/// # Errors
///
/// A wrong value, a panic, or missing data that `verify` does not report.
fn judge(subject: Backend, path: &Path, questions: &StoreQueries, intact: &[QueryResult]) -> Result<&'static str> {
    let found = match catch_unwind(AssertUnwindSafe(|| query_store(subject, path, questions))) {
        Err(panic) => bail!("opening the store panicked: {}", message_of(panic.as_ref())),
        Ok(Err(_)) => return Ok("refused when opened"),
        Ok(Ok(found)) => found,
    };
    compare(subject, path, &found, intact)
}

/// Judges the replies of a damaged store.
fn compare(subject: Backend, path: &Path, found: &[QueryResult], intact: &[QueryResult]) -> Result<&'static str> {
    if let Some(asked) = found.iter().find(|asked| asked.answer == Reply::Panic) {
        bail!("the store panicked when it was asked for {:?}", asked.question);
    }
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
    Ok("errors")
}

/// Returns `true` if `some` is a subsequence of `all`.
fn are_in_order(some: &[String], all: &[String]) -> bool {
    let mut all = all.iter();
    some.iter().all(|thing| all.any(|other| other == thing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_panics_breaks_the_promise() {
        let asked = |answer| vec![QueryResult { question: "a verdict".to_owned(), answer }];
        let intact = asked(Reply::Known(vec!["bot".to_owned()]));
        let folder = Path::new("/there/is/no/such/store");
        assert_eq!(compare(Backend::Redb, folder, &intact, &intact).unwrap(), "harmless");
        let panicked = compare(Backend::Redb, folder, &asked(Reply::Panic), &intact).unwrap_err().to_string();
        assert_eq!(panicked, "the store panicked when it was asked for \"a verdict\"");
    }

    #[test]
    fn a_kill_leaves_entries_of_the_log_that_are_not_in_the_database() {
        let folder = tempfile::tempdir().unwrap();
        let rig = crate::harness::Harness { torture: "unused".into() };
        let cycle = ScenarioCycle { seed: 1, subject: Backend::Redb, wanted: 1, rig: &rig, folder: folder.path() };
        let (image, questions) = fill_and_kill(&cycle).unwrap();
        assert!(is_behind(Backend::Redb, &image, &questions).unwrap());
        let (closed, questions) = fill(&cycle, true).unwrap();
        assert!(!closed.has_log() && !is_behind(Backend::Redb, &closed, &questions).unwrap());
    }
}
