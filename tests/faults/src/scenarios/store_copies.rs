//! Scenario: a store of a known size moves from files into a database, into other files, and back.

use super::requirements;
use crate::harness::{Backend, fill_up_to};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use crate::scenario_run::TimeBudget;
use anyhow::{Error, Result, ensure};
use serde_json::Value;
use std::fs;
use voight_tests::command;
use voight_tests::postgres::Cluster;

pub(super) const ROW: Scenario = Scenario {
    name: "moves",
    about: "a store of this many ledger rows and as many verdicts, copied to PostgreSQL, from there to sled and back to redb: equal hashes",
    unit: "ledger rows",
    subjects: &[Backend::Redb],
    ci_units: 2_000,
    goal: 1_000_000,
    unmet_requirement: requirements::postgres,
    run,
    expects_loss: false,
};

fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let folder = |name: &str| cycle.folder.join(name);
    fill_up_to(cycle.subject, &folder("source"), cycle.wanted)?;
    fs::create_dir(folder("cluster"))?;
    let cluster = Cluster::start(&folder("cluster")).map_err(Error::msg)?;
    let in_files = |kind: &str, name: &str| format!("{kind}:{}", folder(name).display());
    let places = [in_files("redb", "source"), cluster.url(), in_files("sled", "sled"), in_files("redb", "back")];
    let names = ["seconds from redb to PostgreSQL", "seconds from PostgreSQL to sled", "seconds from sled to redb"];
    let (mut tally, mut first) = (CycleResult::new(cycle.wanted), None);
    for (pair, name) in places.windows(2).zip(names) {
        let watch = TimeBudget::start(None);
        let done = copy(cycle, &pair[0], &pair[1])?;
        tally.peak(name, watch.elapsed().as_secs());
        let proof = first.get_or_insert_with(|| done["from"].clone());
        ensure!(done["from"] == *proof && done["to"] == *proof, "{name}: {done}, and the first was {proof}");
    }
    let rows = first.and_then(|proof| proof["rows"].as_u64()).unwrap_or_default();
    tally.count("records", rows);
    let damaged = Backend::Redb.verify(&folder("back"))?.damaged;
    ensure!(damaged == 0, "the copy has {damaged} damaged records");
    Ok(tally)
}

fn copy(cycle: &ScenarioCycle<'_>, from: &str, to: &str) -> Result<Value> {
    let output = command::run(cycle.folder, &["--json", "store", "copy", "--from", from, "--to", to]);
    ensure!(output.status.success(), "no copy: {}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}
