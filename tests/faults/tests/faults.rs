//! Fault matrix at the volume of every test run, from a fixed seed.
#![expect(
    clippy::print_stdout,
    reason = "the test output contains the result of each scenario"
)]

use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;
use voight_faults::harness::{Backend, Harness};
use voight_faults::scenario::Scenario;
use voight_faults::scenario_run::ScenarioRun;
use voight_faults::scenarios::SCENARIOS;
use voight_faults::time_budget::TimeBudget;
use voight_tests::skip::skipped;

/// Fixed seed, so that a failure is reproducible; full runs choose others.
const SEED: u64 = 1;

fn main() -> ExitCode {
    let trials = SCENARIOS
        .iter()
        .flat_map(|scenario| {
            scenario
                .backends
                .iter()
                .map(|backend| trial(scenario, *backend))
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn trial(scenario: &'static Scenario, backend: Backend) -> Trial {
    let name = format!("{}::{backend}", scenario.name);
    Trial::test(name.clone(), move || {
        if let Some(what) = (scenario.unmet_requirement)() {
            skipped(&name, &what);
            return Ok(());
        }
        run(scenario, backend)
    })
}

fn run(scenario: &'static Scenario, backend: Backend) -> Result<(), Failed> {
    let harness = Harness {
        program: env!("CARGO_BIN_EXE_voight-faults").into(),
    };
    let scenario_run = ScenarioRun {
        scenario,
        backend,
        seed: SEED,
        budget: TimeBudget::start(None),
        harness: &harness,
    };
    let result = scenario_run
        .run(scenario.ci_volume)
        .map_err(|error| Failed::from(format!("{error:#}")))?;
    println!(
        "{} {}, {} lost, {:?} {:?}",
        result.volume, scenario.unit, result.lost, result.counters, result.maxima
    );
    assert_eq!(result.lost > 0, scenario.expects_loss, "{result:?}");
    Ok(())
}
