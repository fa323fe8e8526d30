//! Scenario: a store of a known size moves from files into a database, into other files, and back.

use super::requirements;
use crate::harness::{Backend, fill_up_to};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use crate::sources::Tried;
use crate::time_budget::TimeBudget;
use anyhow::{Error, Result, ensure};
use serde_json::Value;
use std::fs;
use voight_tests::command;
use voight_tests::postgres::Cluster;

pub(super) const SCENARIO: Scenario = Scenario {
    name: "moves",
    about: "a store with this number of ledger rows and of verdicts, copied to PostgreSQL, from there to sled and back to redb: equal hashes",
    unit: "ledger rows",
    backends: &[Backend::Redb],
    tried: Tried::ServerWithEveryStore,
    ci_volume: 2_000,
    full_volume: 1_000_000,
    unmet_requirement: requirements::postgres,
    run,
    expects_loss: false,
};

fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let dir = |name: &str| cycle.dir.join(name);
    fill_up_to(cycle.backend, &dir("source"), cycle.remaining)?;
    fs::create_dir(dir("cluster"))?;
    let cluster = Cluster::start(&dir("cluster")).map_err(Error::msg)?;
    let file_url = |kind: &str, name: &str| format!("{kind}:{}", dir(name).display());
    let urls = [
        file_url("redb", "source"),
        cluster.url(),
        file_url("sled", "sled"),
        file_url("redb", "back"),
    ];
    let names = [
        "seconds from redb to PostgreSQL",
        "seconds from PostgreSQL to sled",
        "seconds from sled to redb",
    ];
    let mut result = CycleResult::new(cycle.remaining);
    let mut first = None;
    for (pair, name) in urls.windows(2).zip(names) {
        let stopwatch = TimeBudget::start(None);
        let copy_summary = copy(cycle, &pair[0], &pair[1])?;
        result.record_maximum(name, stopwatch.elapsed().as_secs());
        let summary = first.get_or_insert_with(|| copy_summary["from"].clone());
        ensure!(
            copy_summary["from"] == *summary && copy_summary["to"] == *summary,
            "{name}: {copy_summary}, expected {summary}"
        );
    }
    let rows = first
        .and_then(|summary| summary["rows"].as_u64())
        .unwrap_or_default();
    result.count("records", rows);
    let damaged_count = Backend::Redb.verify(&dir("back"))?.damaged;
    ensure!(
        damaged_count == 0,
        "the copy has {damaged_count} corrupt records"
    );
    Ok(result)
}

fn copy(cycle: &ScenarioCycle<'_>, from: &str, to: &str) -> Result<Value> {
    let output = command::run(
        cycle.dir,
        &["--json", "store", "copy", "--from", from, "--to", to],
    );
    ensure!(
        output.status.success(),
        "the copy failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(serde_json::from_slice(&output.stdout)?)
}
