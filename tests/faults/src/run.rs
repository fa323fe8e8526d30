//! Execution and resumption of scenarios.

use crate::cli::Torture;
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use voight_faults::harness::{Backend, Harness};
use voight_faults::page;
use voight_faults::result::{FailedCycle, ScenarioResult};
use voight_faults::scenario::Scenario;
use voight_faults::scenario_run::{ScenarioRun, TimeBudget};
use voight_faults::scenarios::SCENARIOS;
use voight_tests::console;
use voight_tests::results::{Machine, commit, today};

/// Executes the command line. Returns `true` if every promise was kept.
pub(crate) fn run(torture: &Torture) -> Result<bool> {
    if torture.list {
        list();
        return Ok(true);
    }
    if torture.publish {
        return publish(torture);
    }
    let rig = Harness { torture: std::env::current_exe()? };
    let (mut results, mut kept) = (Vec::new(), true);
    for (row, subject) in chosen(torture)? {
        if let Some(what) = (row.unmet_requirement)() {
            console::error(format_args!("SKIPPED {}::{subject}: {what}", row.name));
            kept &= std::env::var_os("CI").is_none();
            continue;
        }
        if let Some(number) = torture.cycle {
            one(row, subject, torture, &rig, number)?;
            continue;
        }
        let result = resume_run(row, subject, torture, &rig)?;
        kept &= result.failures.is_empty() && (result.lost > 0) == row.expects_loss;
        if !torture.json {
            console::line(summary(&result));
        }
        results.push(result);
    }
    if torture.json {
        console::line(serde_json::to_string_pretty(&results)?);
    }
    Ok(kept)
}

fn list() {
    for Scenario { name, about, subjects, ci_units: in_ci, goal, unit, .. } in SCENARIOS {
        let on: Vec<_> = subjects.iter().map(|subject| subject.as_str()).collect();
        console::line(format_args!(
            "{name:<18} {about}\n{:<18} on {}: {in_ci} {unit} in CI, {goal} in a full run",
            "",
            on.join(", ")
        ));
    }
}

/// Returns the selected scenarios with their backends.
fn chosen(torture: &Torture) -> Result<Vec<(&'static Scenario, Backend)>> {
    for name in &torture.rows {
        if !SCENARIOS.iter().any(|row| row.name == name) {
            let known: Vec<_> = SCENARIOS.iter().map(|row| row.name).collect();
            bail!("there is no row {name:?}; these are: {}", known.join(", "));
        }
    }
    let rows =
        SCENARIOS.iter().filter(|row| torture.rows.is_empty() || torture.rows.iter().any(|name| row.name == name));
    let all = rows.flat_map(|row| row.subjects.iter().map(move |subject| (row, *subject)));
    Ok(all.filter(|(_, subject)| torture.on.is_none_or(|on| on == *subject)).collect())
}

/// Runs one cycle and prints its result.
fn one(row: &Scenario, subject: Backend, torture: &Torture, rig: &Harness, number: u64) -> Result<()> {
    let campaign = ScenarioRun { row, subject, seed: torture.seed.unwrap_or(0), rig };
    let tally = campaign.cycle(number, torture.units.unwrap_or(row.goal))?;
    console::line(format_args!(
        "{} on {subject}, cycle {number}: {} {}, {} lost, {:?} {:?}",
        row.name, tally.units, row.unit, tally.lost, tally.seen, tally.peaks
    ));
    Ok(())
}

/// Resumes a scenario until it has its volume or the time is up.
///
/// The result is written after each cycle, so that an interruption loses nothing.
fn resume_run(row: &Scenario, subject: Backend, torture: &Torture, rig: &Harness) -> Result<ScenarioResult> {
    let wanted = torture.units.unwrap_or(row.goal);
    let path = result_path(torture, row, subject);
    let mut result = begun(row, subject, torture, &path)?;
    let campaign = ScenarioRun { row, subject, seed: result.seed, rig };
    let (budget, before) = (TimeBudget::start(torture.time), result.seconds);
    let bar =
        console::bar(&format!("{} on {subject}", row.name), usize::try_from(wanted).unwrap_or(usize::MAX), row.unit);
    bar.set_position(result.units);
    while result.units < wanted && !budget.is_spent() && result.failures.is_empty() {
        let number = result.cycles;
        match campaign.cycle(number, wanted - result.units) {
            Ok(tally) => result.add(&tally),
            Err(error) => {
                result.lost += 1;
                let (what, replay) = (format!("{error:#}"), campaign.replay(number));
                bar.suspend(|| console::error(format_args!("{what}\nto run it again: {replay}")));
                result.failures.push(FailedCycle { cycle: number, what, replay });
            }
        }
        result.seconds = before + budget.elapsed().as_secs();
        result.write(&path)?;
        bar.set_position(result.units);
    }
    bar.finish_and_clear();
    Ok(result)
}

/// Returns the stored result if it has the same sources and seed, otherwise a new one.
///
/// A result that broke a promise is kept beside it under its own name.
fn begun(row: &Scenario, subject: Backend, torture: &Torture, path: &Path) -> Result<ScenarioResult> {
    let (commit, date) = (commit()?, today()?);
    let old = keep_broken(path)?;
    let fits = |old: &ScenarioResult| {
        !torture.fresh && old.commit == commit && torture.seed.is_none_or(|seed| seed == old.seed) && !old.is_broken()
    };
    if let Some(old) = old.filter(fits) {
        return Ok(ScenarioResult { date, ..old });
    }
    let seed = torture.seed.unwrap_or_else(|| fastrand::u64(..u64::from(u32::MAX)));
    Ok(ScenarioResult {
        row: row.name.to_owned(),
        subject,
        command: format!("cargo xtask torture {} --on {subject} --seed {seed}", row.name),
        seed,
        commit,
        date,
        machine: Machine::this(),
        cycles: 0,
        unit: row.unit.to_owned(),
        units: 0,
        lost: 0,
        seen: std::collections::BTreeMap::default(),
        peaks: std::collections::BTreeMap::default(),
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

fn result_path(torture: &Torture, row: &Scenario, subject: Backend) -> PathBuf {
    torture.results.join(format!("{}.{subject}.json", row.name))
}

fn summary(result: &ScenarioResult) -> String {
    let seen: Vec<_> =
        result.seen.iter().chain(&result.peaks).map(|(what, number)| format!("{number} {what}")).collect();
    let ScenarioResult { row, subject, units, unit, lost, seconds, .. } = result;
    format!("{row:<18} {subject:<6} {units} {unit}, {lost} lost, {seconds} s ({})", seen.join(", "))
}

fn publish(torture: &Torture) -> Result<bool> {
    for (row, subject) in chosen(torture)? {
        let Some(new) = keep_broken(&result_path(torture, row, subject))? else { continue };
        let place = page::result_path(row, subject);
        // Dates sort as text. The newest run is published, whatever its volume.
        if keep_broken(&place)?.is_none_or(|old| old.date <= new.date) {
            new.write(&place)?;
            console::line(format_args!("{} {} of {} on {subject}", new.units, new.unit, row.name));
        }
    }
    publish_broken(&torture.results)?;
    publish_fuzzing(&torture.fuzz_results)?;
    page::update()?;
    Ok(true)
}

/// Copies the results of runs that broke a promise, unless they are published already.
fn publish_broken(from: &Path) -> Result<()> {
    for path in page::broken_files(from)? {
        let place = page::results().join(path.file_name().unwrap_or_default());
        if !place.exists() {
            std::fs::copy(&path, &place)?;
            console::line(format_args!("{} broke a promise", place.display()));
        }
    }
    Ok(())
}

/// Copies the fuzzing results of each target, if any.
fn publish_fuzzing(from: &Path) -> Result<()> {
    let results = std::fs::read_dir(from).into_iter().flatten().filter_map(|file| Some(file.ok()?.path()));
    for result in results.filter(|path| path.extension().is_some_and(|extension| extension == "json")) {
        std::fs::create_dir_all(page::fuzz_results())?;
        std::fs::copy(&result, page::fuzz_results().join(result.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn torture(folder: &Path, words: &[&str]) -> Torture {
        let folder = folder.to_str().unwrap();
        let command = ["torture", "kill", "--on", "redb", "--results", folder];
        crate::cli::Cli::try_parse_from(command.iter().chain(words)).unwrap().torture
    }

    fn kill() -> &'static Scenario {
        SCENARIOS.iter().find(|row| row.name == "kill").unwrap()
    }

    #[test]
    fn a_rerun_discards_no_run_that_broke_a_promise() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kill.redb.json");
        let again = |words: &[&str]| begun(kill(), Backend::Redb, &torture(folder.path(), words), &path).unwrap();
        let kept = || page::broken_files(folder.path()).unwrap().len();
        let mut lost = again(&[]);
        (lost.lost, lost.units, lost.cycles) = (1, 20, 1);
        lost.write(&path).unwrap();
        // A rerun starts at zero, and its result replaces the old one.
        for words in [&["--fresh"][..], &[]] {
            let fresh = again(words);
            assert_eq!((fresh.units, fresh.lost), (0, 0), "{words:?} goes on with a broken run");
            assert_eq!(kept(), 1, "{words:?}");
        }
        let what = FailedCycle { cycle: 3, what: "gone".to_owned(), replay: String::new() };
        lost = ScenarioResult { lost: 0, cycles: 3, failures: vec![what], ..lost };
        lost.write(&path).unwrap();
        again(&["--fresh"]);
        assert_eq!(kept(), 2, "a run with a failed cycle is kept, too");
        let good = ScenarioResult { failures: Vec::new(), ..lost };
        good.write(&path).unwrap();
        assert_eq!(again(&[]).units, 20, "a good run goes on");
        assert_eq!(kept(), 2);
    }
}
