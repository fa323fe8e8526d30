//! Fault matrix at the volume of every test run, from a fixed seed.
#![expect(clippy::print_stdout, reason = "the closing record of a run shows what each row came to")]

use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;
use voight_faults::harness::{Backend, Harness};
use voight_faults::scenario::Scenario;
use voight_faults::scenario_run::ScenarioRun;
use voight_faults::scenarios::SCENARIOS;
use voight_tests::skip::skipped;

/// Fixed seed, so that a failure is reproducible; full runs choose others.
const SEED: u64 = 1;

fn main() -> ExitCode {
    let trials = SCENARIOS.iter().flat_map(|row| row.subjects.iter().map(|subject| trial(row, *subject))).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn trial(row: &'static Scenario, subject: Backend) -> Trial {
    let name = format!("{}::{subject}", row.name);
    Trial::test(name.clone(), move || {
        if let Some(what) = (row.unmet_requirement)() {
            skipped(&name, &what);
            return Ok(());
        }
        run(row, subject)
    })
}

fn run(row: &'static Scenario, subject: Backend) -> Result<(), Failed> {
    let rig = Harness { torture: env!("CARGO_BIN_EXE_voight-faults").into() };
    let campaign = ScenarioRun { row, subject, seed: SEED, rig: &rig };
    let tally = campaign.run(row.ci_units).map_err(|error| Failed::from(format!("{error:#}")))?;
    println!("{} {}, {} lost, {:?} {:?}", tally.units, row.unit, tally.lost, tally.seen, tally.peaks);
    assert_eq!(tally.lost > 0, row.expects_loss, "{tally:?}");
    Ok(())
}
