//! Execution and resumption of scenarios.

use crate::cli::FaultOptions;
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use voight_faults::harness::{Backend, Harness};
use voight_faults::page;
use voight_faults::result::{FailedCycle, FailedOutcome, ScenarioResult};
use voight_faults::scenario::Scenario;
use voight_faults::scenario_run::ScenarioRun;
use voight_faults::scenarios::SCENARIOS;
use voight_faults::sources::tried_sources;
use voight_faults::time_budget::TimeBudget;
use voight_tests::console;
use voight_tests::results::{Machine, commit, source_digests, today};

/// Executes the command line. Returns `true` if no promise was broken.
pub(crate) fn run(options: &FaultOptions) -> Result<bool> {
    if options.list {
        list();
        return Ok(true);
    }
    if options.publish {
        return publish(options);
    }
    let harness = Harness {
        program: std::env::current_exe()?,
    };
    let mut results = Vec::new();
    let mut all_passed = true;
    for (scenario, backend) in selected(options)? {
        if let Some(what) = (scenario.unmet_requirement)() {
            console::error(format_args!("SKIPPED {}::{backend}: {what}", scenario.name));
            all_passed &= std::env::var_os("CI").is_none();
            continue;
        }
        if let Some(number) = options.cycle {
            run_cycle(scenario, backend, options, &harness, number)?;
            continue;
        }
        let result = resume_run(scenario, backend, options, &harness)?;
        all_passed &= result.failures.is_empty() && (result.lost > 0) == scenario.expects_loss;
        if !options.json {
            console::line(summary(&result));
        }
        results.push(result);
    }
    if options.json {
        console::line(serde_json::to_string_pretty(&results)?);
    }
    Ok(all_passed)
}

fn list() {
    for Scenario {
        name,
        about,
        backends,
        ci_volume,
        full_volume,
        unit,
        ..
    } in SCENARIOS
    {
        let backend: Vec<_> = backends.iter().map(|backend| backend.as_str()).collect();
        console::line(format_args!(
            "{name:<18} {about}\n{:<18} backends {}; {ci_volume} {unit} in CI, {full_volume} in a full run",
            "",
            backend.join(", ")
        ));
    }
}

/// Returns the selected scenarios with their backends.
fn selected(options: &FaultOptions) -> Result<Vec<(&'static Scenario, Backend)>> {
    for name in &options.scenarios {
        if !SCENARIOS.iter().any(|scenario| scenario.name == name) {
            let names: Vec<_> = SCENARIOS.iter().map(|scenario| scenario.name).collect();
            bail!(
                "unknown scenario {name:?}; the scenarios are: {}",
                names.join(", ")
            );
        }
    }
    let scenarios = SCENARIOS.iter().filter(|scenario| {
        options.scenarios.is_empty() || options.scenarios.iter().any(|name| scenario.name == name)
    });
    let pairs = scenarios.flat_map(|scenario| {
        scenario
            .backends
            .iter()
            .map(move |backend| (scenario, *backend))
    });
    Ok(pairs
        .filter(|(_, backend)| {
            options
                .backend
                .is_none_or(|backend_option| backend_option == *backend)
        })
        .collect())
}

/// Runs one cycle and prints its result.
fn run_cycle(
    scenario: &Scenario,
    backend: Backend,
    options: &FaultOptions,
    harness: &Harness,
    number: u64,
) -> Result<()> {
    let scenario_run = ScenarioRun {
        scenario,
        backend,
        seed: options.seed.unwrap_or(0),
        budget: TimeBudget::start(None),
        harness,
    };
    let cycle_result =
        scenario_run.cycle(number, options.volume.unwrap_or(scenario.full_volume))?;
    console::line(format_args!(
        "{} on {backend}, cycle {number}: {} {}, {} lost, {:?} {:?}",
        scenario.name,
        cycle_result.volume,
        scenario.unit,
        cycle_result.lost,
        cycle_result.counters,
        cycle_result.maxima
    ));
    Ok(())
}

/// Resumes a scenario until it has its volume or the time is up.
///
/// The result is written after each cycle, so that an interruption loses nothing.
fn resume_run(
    scenario: &Scenario,
    backend: Backend,
    options: &FaultOptions,
    harness: &Harness,
) -> Result<ScenarioResult> {
    let volume = options.volume.unwrap_or(scenario.full_volume);
    let path = result_path(options, scenario, backend);
    let mut result = stored_or_new(scenario, backend, options, &path)?;
    let budget = TimeBudget::start(options.time);
    let scenario_run = ScenarioRun {
        scenario,
        backend,
        seed: result.seed,
        budget,
        harness,
    };
    let seconds_before = result.seconds;
    let bar = console::bar(
        &format!("{} on {backend}", scenario.name),
        usize::try_from(volume).unwrap_or(usize::MAX),
        scenario.unit,
    );
    bar.set_position(result.volume);
    while result.volume < volume && !budget.is_spent() && result.failures.is_empty() {
        let number = result.cycles;
        match scenario_run.cycle(number, volume - result.volume) {
            Ok(cycle_result) => result.add(&cycle_result),
            Err(error) => {
                let outcome = FailedOutcome::from_error(&error);
                let error = format!("{error:#}");
                let replay = scenario_run.replay(number);
                bar.suspend(|| {
                    console::error(format_args!(
                        "{outcome}: {error}\nto repeat the cycle: {replay}"
                    ));
                });
                result.failures.push(FailedCycle {
                    cycle: number,
                    outcome,
                    error,
                    replay,
                });
            }
        }
        result.seconds = seconds_before + budget.elapsed().as_secs();
        result.write(&path)?;
        bar.set_position(result.volume);
    }
    bar.finish_and_clear();
    Ok(result)
}

/// Returns the stored result if it has the same sources and seed, otherwise a new one.
///
/// A result that broke a promise is first copied to a file that no later run overwrites.
fn stored_or_new(
    scenario: &Scenario,
    backend: Backend,
    options: &FaultOptions,
    path: &Path,
) -> Result<ScenarioResult> {
    let commit = commit()?;
    let date = today()?;
    let sources = source_digests(&tried_sources(scenario.tried, backend))?;
    let old = keep_broken(path)?;
    let resumable = |old: &ScenarioResult| {
        !options.restart
            && old.sources == sources
            && options.seed.is_none_or(|seed| seed == old.seed)
            && !old.is_broken()
    };
    if let Some(old) = old.filter(resumable) {
        // A cycle without a result is tried again.
        return Ok(ScenarioResult {
            commit,
            date,
            failures: Vec::new(),
            ..old
        });
    }
    let seed = options
        .seed
        .unwrap_or_else(|| fastrand::u64(..u64::from(u32::MAX)));
    Ok(ScenarioResult {
        scenario: scenario.name.to_owned(),
        backend,
        command: format!(
            "cargo xtask faults {} --backend {backend} --seed {seed}",
            scenario.name
        ),
        seed,
        commit,
        sources,
        date,
        machine: Machine::this(),
        cycles: 0,
        unit: scenario.unit.to_owned(),
        volume: 0,
        lost: 0,
        counters: std::collections::BTreeMap::default(),
        maxima: std::collections::BTreeMap::default(),
        seconds: 0,
        failures: Vec::new(),
        resolved: None,
    })
}

/// Reads the result at `path`. If it broke a promise, stores a copy that no later run overwrites.
fn keep_broken(path: &Path) -> Result<Option<ScenarioResult>> {
    let old = ScenarioResult::read(path)?;
    if let Some(broken) = old.as_ref().filter(|old| old.is_broken()) {
        broken.write(&path.with_file_name(broken.own_name()))?;
    }
    Ok(old)
}

fn result_path(options: &FaultOptions, scenario: &Scenario, backend: Backend) -> PathBuf {
    options
        .results
        .join(format!("{}.{backend}.json", scenario.name))
}

fn summary(result: &ScenarioResult) -> String {
    let counters: Vec<_> = result
        .counters
        .iter()
        .chain(&result.maxima)
        .map(|(what, number)| format!("{number} {what}"))
        .collect();
    let ScenarioResult {
        scenario,
        backend,
        volume,
        unit,
        lost,
        seconds,
        ..
    } = result;
    format!(
        "{scenario:<18} {backend:<6} {volume} {unit}, {lost} lost, {seconds} s ({})",
        counters.join(", ")
    )
}

fn publish(options: &FaultOptions) -> Result<bool> {
    for (scenario, backend) in selected(options)? {
        let Some(new) = keep_broken(&result_path(options, scenario, backend))? else {
            continue;
        };
        let published_path = page::result_path(scenario, backend);
        // Dates sort as text. The newest run is published, whatever its volume.
        if keep_broken(&published_path)?.is_none_or(|old| old.date <= new.date) {
            new.write(&published_path)?;
            console::line(format_args!(
                "{} {} of {} on {backend}",
                new.volume, new.unit, scenario.name
            ));
        }
    }
    publish_broken(&options.results)?;
    publish_fuzzing(&options.fuzz_results)?;
    page::update()?;
    Ok(true)
}

/// Copies the results of runs that broke a promise, unless they are published already.
fn publish_broken(from: &Path) -> Result<()> {
    for path in page::broken_files(from)? {
        let published_path = page::results().join(path.file_name().unwrap_or_default());
        if !published_path.exists() {
            std::fs::copy(&path, &published_path)?;
            console::line(format_args!("{} broke a promise", published_path.display()));
        }
    }
    Ok(())
}

/// Copies the fuzzing results of each target, if any.
fn publish_fuzzing(from: &Path) -> Result<()> {
    let results = std::fs::read_dir(from)
        .into_iter()
        .flatten()
        .filter_map(|file| Some(file.ok()?.path()));
    for result in results.filter(|path| {
        path.extension()
            .is_some_and(|extension| extension == "json")
    }) {
        std::fs::create_dir_all(page::fuzz_results())?;
        std::fs::copy(
            &result,
            page::fuzz_results().join(result.file_name().unwrap_or_default()),
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
