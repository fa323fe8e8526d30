//! Scenario: backup, restore and copy between every pair of stores.

use crate::harness::{Backend, Operation, TestAccount};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use anyhow::{Context, Result, ensure};
use std::path::Path;
use voight_embedded::{DumpReader, DumpSummary, dump_store, restore};
use voight_redb::WalRedb;
use voight_sled::SledEngine;

/// Maximum number of operations in a store.
const OPERATIONS: u64 = 400;

pub(super) const ROW: Scenario = Scenario {
    name: "copies",
    about: "backup, restore into each kind of store, backup again: the same bytes, and every record whole",
    unit: "copies",
    subjects: Backend::ALL,
    ci_units: 8,
    goal: 500,
    unmet_requirement: || None,
    run,
    expects_loss: false,
};

fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let source = cycle.folder.join("source");
    let operations = fill(cycle, &source)?;
    let (dump, first) = dump(cycle.subject, &source)?;
    let mut tally = CycleResult::default();
    for target in Backend::ALL {
        let path = cycle.folder.join(format!("copy.{target}"));
        put(*target, &dump, &path).with_context(|| format!("from {} to {target}", cycle.subject))?;
        let (again, second) = self::dump(*target, &path)?;
        ensure!(again == dump && second == first, "a copy on {target} has {second:?} and not {first:?}");
        let damaged = target.verify(&path)?.damaged;
        ensure!(damaged == 0, "a copy on {target} has {damaged} damaged records");
        tally.units += 1;
    }
    tally.count("records", first.rows);
    tally.count("operations", operations);
    Ok(tally)
}

fn fill(cycle: &ScenarioCycle<'_>, path: &Path) -> Result<u64> {
    let store = cycle.subject.open(path)?;
    let account = TestAccount::find_or_create(store.as_ref())?;
    let operations = cycle.random().u64(..OPERATIONS);
    for number in 0..operations {
        Operation::derive(&account, cycle.seed, 0, number).call(store.as_ref())?;
    }
    Ok(operations)
}

fn dump(subject: Backend, path: &Path) -> Result<(Vec<u8>, DumpSummary)> {
    let mut bytes = Vec::new();
    let (_, summary) = match subject {
        Backend::Redb => dump_store::<WalRedb>(path, &mut bytes)?,
        Backend::Sled => dump_store::<SledEngine>(path, &mut bytes)?,
    };
    Ok((bytes, summary))
}

fn put(subject: Backend, dump: &[u8], path: &Path) -> Result<()> {
    let mut dump = DumpReader::open(dump)?;
    let (from, to) = match subject {
        Backend::Redb => restore::<WalRedb>(&mut dump, path, &mut |_| {})?,
        Backend::Sled => restore::<SledEngine>(&mut dump, path, &mut |_| {})?,
    };
    ensure!(from == to, "the dump holds {from:?}, and {to:?} was read back");
    Ok(())
}
