//! File with the measurements of these tests, which the guide refers to.

use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::{env, fs};
use voight_tests::paths::repository;
use voight_tests::results::{self, Machine};

/// Environment variable that stores the measurements. Off by default, because they depend on the machine and its load.
const KEEP: &str = "VOIGHT_CITUS_FIGURES";

fn path() -> PathBuf {
    repository().join("docs/results/reliability/citus.json")
}

/// Stores the measurement of a test under `name`, with the revision and the machine.
pub(crate) fn note(name: &str, figures: &Value) {
    if env::var_os(KEEP).is_none() {
        return;
    }
    let known = fs::read_to_string(path()).ok().and_then(|text| serde_json::from_str(&text).ok());
    let mut all: Map<String, Value> = known.unwrap_or_default();
    let measured = json!({
        "measured_at": results::today().expect("a day"),
        "commit": results::commit().expect("a revision"),
        "machine": Machine::this(),
        "figures": figures,
    });
    all.insert(name.to_owned(), measured);
    results::write(&path(), &all).expect("the file of results");
}
