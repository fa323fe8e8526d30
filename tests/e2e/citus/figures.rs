//! Measurements of these tests: their file, and the table of the guide that shows them.

use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::{env, fs};
use voight_support::assert_committed;
use voight_tests::paths::{binary, repository};
use voight_tests::publish::replaced;
use voight_tests::results::{self, Machine, SourceDigests, TriedSources, without_stale_reasons};

/// Environment variable that stores the measurements. Off by default, because they depend on the machine and its load.
const KEEP: &str = "VOIGHT_CITUS_FIGURES";
const GUIDE: &str = "docs/guides/cluster-with-postgresql.md";

fn path() -> PathBuf {
    repository().join("docs/results/reliability/citus.json")
}

fn read() -> Map<String, Value> {
    let text = fs::read_to_string(path()).unwrap_or_else(|_| "{}".to_owned());
    serde_json::from_str(&text).expect("the file of results")
}

/// Stores the measurement of a test under `name`, with the revision, the machine, and the build of the binary.
pub(crate) fn note(name: &str, figures: &Value) {
    if env::var_os(KEEP).is_none() {
        return;
    }
    let mut all_figures = read();
    let build = binary()
        .parent()
        .and_then(|folder| Some(folder.file_name()?.display().to_string()));
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let measurement = json!({
        "measured_at": results::today().expect("a day"),
        "commit": results::commit().expect("a revision"),
        "sources": results::source_digests(&tried_sources()).expect("the sources"),
        "machine": Machine::this(),
        "build": build,
        // Average of the last minute, which includes this measurement.
        "load_average": load.split(' ').next().and_then(|load| load.parse::<f64>().ok()),
        "figures": figures,
    });
    all_figures.insert(name.to_owned(), measurement);
    results::write(&path(), &all_figures).expect("the file of results");
}

/// Returns the sources that the measurements depend on.
fn tried_sources() -> TriedSources {
    let packages = vec!["voight".to_owned()];
    TriedSources {
        packages,
        paths: vec!["tests/e2e/citus".to_owned()],
        ..TriedSources::default()
    }
}

/// Returns a number with a separator of thousands.
fn number(value: &Value) -> String {
    let digits = format!("{:.0}", value.as_f64().expect("a number"));
    let parts: Vec<_> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|part| String::from_utf8_lossy(part))
        .collect();
    parts.join(",")
}

/// Describes a measurement and its result.
fn described(name: &str, figures: &Value) -> (String, String) {
    let of = |member: &str| number(&figures[member]);
    match name {
        "hang" => (
            format!(
                "{} clients while one of two workers hangs for {} s",
                of("clients"),
                of("hangs_seconds")
            ),
            format!(
                "clients of the other worker: {} answers, {} of them not 200, p99 {} ms, maximum {} ms; clients of the \
                 hanging worker wait at most {} ms",
                of("others_answers"),
                of("others_not_200"),
                of("others_p99_ms"),
                of("others_longest_ms"),
                of("own_longest_ms")
            ),
        ),
        "coordinator" => (
            format!("{} lookups by two nodes on the workers", of("lookups")),
            format!(
                "processor time of the coordinator {} ms; {} ms when idle for the same time",
                of("coordinator_ms"),
                of("coordinator_at_rest_ms")
            ),
        ),
        "throughput" => (
            format!(
                "one node with {} clients, on two cores for all servers and clients, alternately",
                of("clients")
            ),
            format!(
                "{} lookups per second on one PostgreSQL server, {} on Citus through its workers",
                of("single_per_second"),
                of("citus_per_second")
            ),
        ),
        "faults" => {
            let kill_count = |server: &str| number(&figures["kills"][server]);
            (
                format!(
                    "{} lookups of {} clients while the coordinator is killed {} times, a worker {} times, a node {} times",
                    of("lookups"),
                    of("clients"),
                    kill_count("coordinator"),
                    kill_count("worker"),
                    kill_count("node")
                ),
                format!("{} rows without gaps, and a valid audit log", of("lookups")),
            )
        }
        other => panic!("{other} has no row in the guide"),
    }
}

fn table(all_figures: &Map<String, Value>) -> String {
    let source_tree = results::source_tree().expect("the sources");
    let row = |(name, measured): (&String, &Value)| {
        let (what, result) = described(name, &measured["figures"]);
        let text = |member: &str| measured[member].as_str().unwrap_or("-").to_owned();
        let load = measured["load_average"]
            .as_f64()
            .map_or("-".to_owned(), |load| format!("{load:.1}"));
        let sources: SourceDigests =
            serde_json::from_value(measured["sources"].clone()).unwrap_or_default();
        let stale_mark = source_tree.stale_mark(&sources);
        format!(
            "| {what} | {result} | {}{stale_mark} | {} | {load} |\n",
            text("measured_at"),
            text("build")
        )
    };
    let rows: String = all_figures.iter().map(row).collect();
    format!("| what | result | date | build | load average |\n|---|---|---|---|---|\n{rows}")
}

#[test]
fn guide_shows_the_measured_figures() {
    let path = repository().join(GUIDE);
    let page = fs::read_to_string(&path).expect("the page");
    let expected_page = replaced(&page, "citus-figures", &table(&read()))
        .expect("the page has marks for the figures");
    let is_current = without_stale_reasons(&page) == without_stale_reasons(&expected_page);
    assert_committed(
        GUIDE,
        if is_current { page } else { expected_page },
        "its figures are not the measured ones; VOIGHT_UPDATE=1 writes them",
    );
}
