//! Scenario: backup, restore and copy between every pair of stores.

use crate::harness::{Backend, Operation, TestAccount};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use crate::sources::Tried;
use anyhow::{Context, Result, ensure};
use std::path::Path;

/// Maximum number of operations in a store.
const OPERATIONS: u64 = 400;

pub(super) const SCENARIO: Scenario = Scenario {
    name: "copies",
    about: "backup, restore into each backend, second backup: equal bytes and no corrupt record",
    unit: "copies",
    backends: Backend::ALL,
    tried: Tried::EveryStore,
    ci_volume: 8,
    full_volume: 500,
    unmet_requirement: || None,
    run,
    expects_loss: false,
};

fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let source = cycle.dir.join("source");
    let operations = fill(cycle, &source)?;
    let (dump, first) = cycle.backend.dump(&source)?;
    let mut result = CycleResult::default();
    for target in Backend::ALL {
        let path = cycle.dir.join(format!("copy.{target}"));
        let restoration = target.restore(&dump, &path);
        let (from, to) =
            restoration.with_context(|| format!("from {} to {target}", cycle.backend))?;
        ensure!(
            from == to,
            "the dump contains {from:?}, and {to:?} was read back from {target}"
        );
        let (again, second) = target.dump(&path)?;
        ensure!(
            again == dump && second == first,
            "a copy on {target} has {second:?}, expected {first:?}"
        );
        let damaged_records = target.verify(&path)?.damaged;
        ensure!(
            damaged_records == 0,
            "a copy on {target} has {damaged_records} corrupt records"
        );
        result.volume += 1;
    }
    result.count("records", first.rows);
    result.count("operations", operations);
    Ok(result)
}

fn fill(cycle: &ScenarioCycle<'_>, path: &Path) -> Result<u64> {
    let store = cycle.backend.open(path)?;
    let account = TestAccount::find_or_create(store.as_ref())?;
    let operations = cycle.random().u64(..OPERATIONS);
    for number in 0..operations {
        Operation::derive(&account, cycle.seed, 0, number).call(store.as_ref())?;
    }
    Ok(operations)
}
