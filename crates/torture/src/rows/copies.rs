//! Backup, restore and copy between every pair of stores.

use crate::rig::{Account, Operation, Subject};
use crate::row::{Cycle, Row, Tally};
use anyhow::{Context, Result, ensure};
use std::path::Path;
use voight_redb::LoggedRedb;
use voight_sled::SledEngine;
use voight_store::{DumpReader, Summary, dump_of, restore};

/// The most operations in a store.
const OPERATIONS: u64 = 400;

pub(super) const ROW: Row = Row {
    name: "copies",
    about: "backup, restore into each kind of store, backup again: the same bytes, and every record whole",
    unit: "copies",
    subjects: Subject::ALL,
    in_ci: 8,
    goal: 500,
    missing: || None,
    run,
    has_to_lose: false,
};

fn run(cycle: &Cycle<'_>) -> Result<Tally> {
    let source = cycle.folder.join("source");
    let operations = fill(cycle, &source)?;
    let (dump, first) = dump(cycle.subject, &source)?;
    let mut tally = Tally::default();
    for target in Subject::ALL {
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

fn fill(cycle: &Cycle<'_>, path: &Path) -> Result<u64> {
    let store = cycle.subject.open(path)?;
    let account = Account::settle(store.as_ref())?;
    let operations = cycle.random().u64(..OPERATIONS);
    for number in 0..operations {
        Operation::at(&account, cycle.seed, 0, number).call(store.as_ref())?;
    }
    Ok(operations)
}

fn dump(subject: Subject, path: &Path) -> Result<(Vec<u8>, Summary)> {
    let mut bytes = Vec::new();
    let (_, summary) = match subject {
        Subject::Redb => dump_of::<LoggedRedb>(path, &mut bytes)?,
        Subject::Sled => dump_of::<SledEngine>(path, &mut bytes)?,
    };
    Ok((bytes, summary))
}

fn put(subject: Subject, dump: &[u8], path: &Path) -> Result<()> {
    let mut dump = DumpReader::open(dump)?;
    let (from, to) = match subject {
        Subject::Redb => restore::<LoggedRedb>(&mut dump, path, &mut |_| {})?,
        Subject::Sled => restore::<SledEngine>(&mut dump, path, &mut |_| {})?,
    };
    ensure!(from == to, "the dump holds {from:?}, and {to:?} was read back");
    Ok(())
}
