//! Scenario: a flipped bit anywhere in the files of a store.

use crate::harness::{
    Backend, Operation, QueryResult, Reply, StoreImage, StoreQueries, TestAccount, tmpfs_dir,
};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use crate::sources::Tried;
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use voight_contract::message_of;

/// Number of operations that fill a store, once per cycle.
const OPERATIONS: u64 = 60;
/// Number of flips per cycle, each of one bit in a separate copy.
const FLIPS: u64 = 50;
const STORE: &str = "store";
/// Maximum attempts to get, by a kill, WAL entries that are not in the database.
const ATTEMPTS: usize = 5;

pub(super) const SCENARIO: Scenario = Scenario {
    name: "bit-flips",
    about: "a flipped bit in any file: the right value, an error, or a missing record that verify reports; never a wrong value or a panic",
    unit: "flips",
    backends: Backend::ALL,
    tried: Tried::Store,
    ci_volume: 500,
    full_volume: 10_000,
    unmet_requirement: || None,
    run,
    expects_loss: false,
};

fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let mut random = cycle.random();
    let complete = tmpfs_dir()?;
    let flipped_dir = tmpfs_dir()?;
    let (mut image, queries) = if random.bool() {
        fill(cycle, StoreEnd::Closed)?
    } else {
        fill_and_kill(cycle)?
    };
    image.write(complete.path(), None)?;
    let store = complete.path().join(STORE);
    image.locate(&cycle.backend.entries(&store)?);
    let intact = query_store(cycle.backend, &store, &queries)?;
    let mut result = CycleResult::new(FLIPS);
    for _ in 0..FLIPS {
        let bit = image.choose(&mut random);
        let dir = flipped_dir.path().join("copy");
        image.write(&dir, Some(&bit))?;
        let outcome = flip_outcome(cycle.backend, &dir.join(STORE), &queries, &intact);
        let outcome = outcome.with_context(|| image.name(&bit))?;
        result.count(outcome, 1);
        result.count(&format!("of class {}", bit.class), 1);
        fs::remove_dir_all(dir)?;
    }
    Ok(result)
}

/// End of the process that wrote a store.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StoreEnd {
    Closed,
    Killed,
}

/// Returns the files of a store with entries in every table.
///
/// The store was opened twice, because some databases separate data that is older than their last opening.
fn fill(cycle: &ScenarioCycle<'_>, end: StoreEnd) -> Result<(StoreImage, StoreQueries)> {
    let dir = tmpfs_dir()?;
    let open = || cycle.backend.open(&dir.path().join(STORE));
    let mut store = open()?;
    let account = TestAccount::find_or_create(store.as_ref())?;
    let operations: Vec<_> = (0..OPERATIONS)
        .map(|number| Operation::derive(&account, cycle.seed, 0, number))
        .collect();
    let (older, newer) = operations.split_at(operations.len() / 2);
    older
        .iter()
        .try_for_each(|operation| operation.clone().call(store.as_ref()))?;
    drop(store);
    store = open()?;
    newer
        .iter()
        .try_for_each(|operation| operation.clone().call(store.as_ref()))?;
    let still_open = (end == StoreEnd::Killed).then_some(store);
    let image = StoreImage::read(dir.path())?;
    drop(still_open);
    Ok((image, StoreQueries::about(account, &operations)))
}

/// Returns the store of a killed process. Entries of its write-ahead log are not in the database yet.
fn fill_and_kill(cycle: &ScenarioCycle<'_>) -> Result<(StoreImage, StoreQueries)> {
    for _ in 0..ATTEMPTS {
        let (image, queries) = fill(cycle, StoreEnd::Killed)?;
        ensure!(
            cycle.backend != Backend::Redb || image.has_log(),
            "the kill left no write-ahead log"
        );
        if !image.has_log() || is_behind(cycle.backend, &image, &queries)? {
            return Ok((image, queries));
        }
    }
    bail!("a checkpoint preceded the kill in all {ATTEMPTS} attempts: no log entry is needed")
}

/// Returns `true` if the database lacks entries of its log: without the log, its replies differ.
fn is_behind(backend: Backend, image: &StoreImage, queries: &StoreQueries) -> Result<bool> {
    let complete = tmpfs_dir()?;
    let without = tmpfs_dir()?;
    image.write(complete.path(), None)?;
    image.without_log_entries().write(without.path(), None)?;
    let intact = query_store(backend, &complete.path().join(STORE), queries)?;
    Ok(query_store(backend, &without.path().join(STORE), queries)
        .map_or(true, |actual| actual != intact))
}

fn query_store(backend: Backend, path: &Path, queries: &StoreQueries) -> Result<Vec<QueryResult>> {
    let store = backend.open(path)?;
    let results = queries.run_queries(store.as_ref());
    drop(store);
    Ok(results)
}

/// Returns the outcome of a flip.
///
/// # Errors
///
/// A wrong value, a panic, or missing data that `verify` does not report.
fn flip_outcome(
    backend: Backend,
    path: &Path,
    queries: &StoreQueries,
    intact: &[QueryResult],
) -> Result<&'static str> {
    let actual = match catch_unwind(AssertUnwindSafe(|| query_store(backend, path, queries))) {
        Err(panic) => bail!("opening the store panicked: {}", message_of(panic.as_ref())),
        Ok(Err(_)) => return Ok("refused when opened"),
        Ok(Ok(actual)) => actual,
    };
    compare(backend, path, &actual, intact)
}

/// Compares the replies of a corrupt store with those of the intact one.
fn compare(
    backend: Backend,
    path: &Path,
    actual: &[QueryResult],
    intact: &[QueryResult],
) -> Result<&'static str> {
    if let Some(results) = actual.iter().find(|results| results.reply == Reply::Panic) {
        bail!("the store panicked at the query {:?}", results.query);
    }
    if actual == intact {
        return Ok("harmless");
    }
    let mut missing = None;
    for (actual, intact) in actual.iter().zip(intact) {
        match (&actual.reply, &intact.reply) {
            (Reply::Known(subset), Reply::Known(all))
                if subset.len() < all.len() && are_in_order(subset, all) =>
            {
                missing = Some(&actual.query);
            }
            (Reply::Known(wrong), _) if actual != intact => {
                bail!("the reply to {:?} is {wrong:?}", actual.query)
            }
            _ => {}
        }
    }
    if let Some(query) = missing {
        let is_reported = backend
            .verify(path)
            .map_or(true, |report| report.damaged > 0);
        ensure!(
            is_reported,
            "a part of the reply to {query:?} is missing, and verify reports no damage"
        );
        return Ok("missing and reported");
    }
    Ok("errors")
}

/// Returns `true` if `some` is a subsequence of `all`.
fn are_in_order(subset: &[String], all: &[String]) -> bool {
    let mut remaining = all.iter();
    subset
        .iter()
        .all(|item| remaining.any(|candidate| candidate == item))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panicking_query_is_an_error() {
        let results = |reply| {
            vec![QueryResult {
                query: "a verdict".to_owned(),
                reply,
            }]
        };
        let intact = results(Reply::Known(vec!["bot".to_owned()]));
        let dir = Path::new("/there/is/no/such/store");
        assert_eq!(
            compare(Backend::Redb, dir, &intact, &intact).unwrap(),
            "harmless"
        );
        let error = compare(Backend::Redb, dir, &results(Reply::Panic), &intact)
            .unwrap_err()
            .to_string();
        assert_eq!(error, "the store panicked at the query \"a verdict\"");
    }

    #[test]
    fn killed_store_has_unmerged_log_entries() {
        let dir = tempfile::tempdir().unwrap();
        let harness = crate::harness::Harness {
            program: "unused".into(),
        };
        let cycle = ScenarioCycle {
            seed: 1,
            backend: Backend::Redb,
            remaining: 1,
            budget: crate::time_budget::TimeBudget::start(None),
            harness: &harness,
            dir: dir.path(),
        };
        let (image, queries) = fill_and_kill(&cycle).unwrap();
        assert!(is_behind(Backend::Redb, &image, &queries).unwrap());
        let (closed, queries) = fill(&cycle, StoreEnd::Closed).unwrap();
        assert!(!closed.has_log() && !is_behind(Backend::Redb, &closed, &queries).unwrap());
    }
}
