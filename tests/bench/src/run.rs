//! Benchmark run: preconditions, sections, and the report.

use crate::cleanup::Cleanup;
use crate::cli::Cli;
use crate::machine::{BackgroundLoad, Cores, StorageLocation};
use crate::page::{self, SectionResult};
use crate::progress::Progress;
use crate::report::{Metric, ScenarioResults, flat, table};
use crate::section::BenchContext;
use crate::servers::Baseline;
use anyhow::{Context, Result, ensure};
use std::path::PathBuf;
use voight_tests::console;
use voight_tests::results::{Machine, commit};

/// Runs the benchmark that the command line selects.
pub(crate) fn run(cli: &Cli) -> Result<()> {
    if cli.list {
        for section in cli.offered() {
            console::line(format_args!("{:<10} {}", section.name, section.about));
        }
        return Ok(());
    }
    let known: Vec<_> = cli.offered().iter().map(|section| section.name).collect();
    let unknown = cli.unknown();
    ensure!(unknown.is_empty(), "there is no section {:?}; these are: {}", unknown.join(", "), known.join(", "));
    let findings = measure(cli)?;
    console::line(if cli.json { flat(&findings).to_string() } else { table(&findings) });
    Ok(())
}

fn measure(cli: &Cli) -> Result<ScenarioResults> {
    // Read first, because this process is later pinned to the core of the load.
    let machine = Machine::this();
    // Read before the first section is published, because its pages are among the sources.
    let revision = cli.publish.then(commit).transpose()?;
    let bench = prepare(cli)?;
    let neighbours = BackgroundLoad::sample()?;
    let (mut findings, busy) = (circumstances(&bench, neighbours), neighbours.percent());
    for section in cli.sections() {
        let found = (section.run)(&bench).with_context(|| format!("section {}", section.name))?;
        if let Some(revision) = &revision {
            SectionResult::new(section.name, &found, &machine, revision, busy)?.write()?;
            page::update()?;
        }
        findings.add(found);
    }
    Ok(findings)
}

/// Prepares the run; rejects debug builds before anything else is started.
fn prepare(cli: &Cli) -> Result<BenchContext> {
    let cleanup = Cleanup::default();
    cleanup.at_signals()?;
    let cores = Cores::choose()?;
    cores.pin_to_load_core()?;
    Baseline::start(cores, &cleanup)?.ensure_release()?;
    let disk = cli.disk.clone().map_or_else(beside_the_binaries, Ok)?;
    let places = StorageLocation::ram().into_iter().chain([StorageLocation::disk(&disk)?]).collect();
    Ok(BenchContext { volume: cli.volume(), cores, places, cleanup, progress: Progress::start() })
}

/// Returns the directory `bench` in the target directory.
fn beside_the_binaries() -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let target =
        program.ancestors().nth(2).context("this program lies in no target folder; name a folder with --disk")?;
    Ok(target.join("bench"))
}

/// Returns remarks on the state of the machine, printed before the first result.
fn circumstances(bench: &BenchContext, neighbours: BackgroundLoad) -> ScenarioResults {
    let mut remarks = Vec::new();
    if neighbours.is_too_high() {
        remarks.push(format!(
            "This machine is busy: {neighbours}. Ratios suffer less than the other figures, but they suffer."
        ));
    }
    if !bench.cores.are_apart() {
        remarks.push("This machine has one core only, which server and load share: no figure says much.".to_owned());
    }
    if bench.places.len() < 2 {
        remarks.push(
            "This machine has no file system in memory at /dev/shm, so that only the disk was measured.".to_owned(),
        );
    }
    for remark in &remarks {
        bench.progress.note(remark);
    }
    let figures = vec![
        Metric::single("rounds", "rounds", bench.volume.rounds.into()),
        Metric::single("busy_percent", "used by other programs before it began, %", neighbours.percent()),
    ];
    ScenarioResults { figures, remarks, ..ScenarioResults::default() }
}
