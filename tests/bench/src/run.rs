//! Benchmark run: preconditions, sections, and the report.

use crate::cleanup::Cleanup;
use crate::cli::BenchCli;
use crate::machine::{BackgroundLoad, Cores, StorageLocation};
use crate::page::{self, SectionResult};
use crate::progress::Progress;
use crate::report::{Metric, ScenarioResults, flat, table};
use crate::section::BenchContext;
use crate::servers::Baseline;
use anyhow::{Context, Result, ensure};
use std::path::PathBuf;
use voight_tests::console;
use voight_tests::results::{Machine, TriedSources, commit, source_digests, today};

/// Runs the benchmark that the command line selects.
pub(crate) fn run(cli: &BenchCli) -> Result<()> {
    if cli.list {
        for section in cli.available() {
            console::line(format_args!("{:<10} {}", section.name, section.about));
        }
        return Ok(());
    }
    let available: Vec<_> = cli.available().iter().map(|section| section.name).collect();
    let unknown = cli.unknown();
    ensure!(
        unknown.is_empty(),
        "unknown section {:?}; the sections are: {}",
        unknown.join(", "),
        available.join(", ")
    );
    let results = measure(cli)?;
    console::line(if cli.json {
        flat(&results).to_string()
    } else {
        table(&results)
    });
    Ok(())
}

fn measure(cli: &BenchCli) -> Result<ScenarioResults> {
    // Read first, because this process is later pinned to the core of the load.
    let machine = Machine::this();
    // Read before the first section is published, because its pages are among the sources.
    let revision = cli.publish.then(commit).transpose()?;
    let sources = source_digests(&measured_sources())?;
    let bench = prepare(cli)?;
    let background_load = BackgroundLoad::sample()?;
    let mut results = machine_notes(&bench, background_load);
    let busy = background_load.percent();
    for section in cli.sections() {
        let section_results =
            (section.run)(&bench).with_context(|| format!("section {}", section.name))?;
        if let Some(revision) = &revision {
            let section = section.name.to_owned();
            let commit = revision.clone();
            let machine = machine.clone();
            let metrics = flat(&section_results)
                .as_object()
                .cloned()
                .unwrap_or_default();
            let date = today()?;
            let sources = sources.clone();
            SectionResult {
                section,
                date,
                commit,
                sources,
                machine,
                busy_percent: busy,
                metrics,
            }
            .write()?;
            page::update()?;
        }
        results.add(section_results);
    }
    Ok(results)
}

/// Returns the sources that the metrics depend on: the service, and the programs that measure it and that it is compared with.
fn measured_sources() -> TriedSources {
    let paths = [
        "tests/bench/peers",
        "tests/bench/src/load",
        "tests/bench/src/section",
        "tests/bench/src/servers",
    ];
    TriedSources {
        packages: vec!["voight".to_owned()],
        paths: paths.map(str::to_owned).to_vec(),
        ..TriedSources::default()
    }
}

/// Prepares the run; rejects debug builds before anything else is started.
fn prepare(cli: &BenchCli) -> Result<BenchContext> {
    let cleanup = Cleanup::default();
    cleanup.at_signals()?;
    let cores = Cores::choose()?;
    cores.pin_to_load_core()?;
    Baseline::start(cores, &cleanup)?.ensure_release()?;
    let disk = cli.disk.clone().map_or_else(default_disk_dir, Ok)?;
    let locations = StorageLocation::ram()
        .into_iter()
        .chain([StorageLocation::disk(&disk)?])
        .collect();
    Ok(BenchContext {
        volume: cli.volume(),
        cores,
        locations,
        cleanup,
        progress: Progress::start(),
    })
}

/// Returns the directory `bench` in the target directory.
fn default_disk_dir() -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let target = program
        .ancestors()
        .nth(2)
        .context("this program is in no target directory; name a directory with --disk")?;
    Ok(target.join("bench"))
}

/// Returns notes on the state of the machine, printed before the first result.
fn machine_notes(bench: &BenchContext, background_load: BackgroundLoad) -> ScenarioResults {
    let mut notes = Vec::new();
    if background_load.is_too_high() {
        notes.push(format!(
            "This machine is busy: {background_load}. All metrics are distorted, ratios less than others."
        ));
    }
    if !bench.cores.are_separate() {
        notes.push(
            "Server and load share the only core of this machine: the metrics are not meaningful."
                .to_owned(),
        );
    }
    if bench.locations.len() < 2 {
        notes.push(
            "This machine has no file system in memory at /dev/shm; only the disk was measured."
                .to_owned(),
        );
    }
    for note in &notes {
        bench.progress.note(note);
    }
    let metrics = vec![
        Metric::single("rounds", "rounds", bench.volume.rounds.into()),
        Metric::single(
            "busy_percent",
            "CPU use of other programs before the run, %",
            background_load.percent(),
        ),
    ];
    ScenarioResults {
        metrics,
        notes,
        ..ScenarioResults::default()
    }
}
