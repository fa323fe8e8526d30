//! Completeness of the contract suite: each guarantee removed from the example fails exactly its cases, by name.
//!
//! For each guarantee this program starts itself as the suite on a broken engine.

mod broken;
mod expected;

use broken::{BrokenEngine, MissingGuarantee, VARIABLE};
use expected::{Expected, expected};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use voight_contract::{Capability, FactoryError, StoreFactory, Suite};
use voight_domain::ports::{Clock, Store};
use voight_domain::secrets::PepperCommitment;
use voight_embedded::{DumpReader, StoreOptions, restore};
use voight_memory::MemoryStore;
use voight_support::FixedEntropy;

struct Logs;

impl StoreFactory for Logs {
    fn capabilities(&self) -> &'static [Capability] {
        &[
            Capability::DurableAck,
            Capability::OnlineBackup,
            Capability::OnlineVerify,
            Capability::SingleMoment,
        ]
    }

    fn open(
        &self,
        dir: &Path,
        clock: Arc<dyn Clock>,
        evidence_max_bytes: u64,
    ) -> Result<Arc<dyn Store>, FactoryError> {
        let options = StoreOptions {
            path: dir.join("voight.log"),
            cache_bytes: 0,
            evidence_max_bytes,
            reserved_free_bytes: 0,
        };
        Ok(voight_embedded::open::<BrokenEngine>(
            &options,
            clock,
            &FixedEntropy(1),
            PepperCommitment([7; 16]),
        )?)
    }

    fn restore(&self, dir: &Path, backup: &[u8]) -> Result<(), FactoryError> {
        restore::<BrokenEngine>(
            &mut DumpReader::open(backup)?,
            &dir.join("voight.log"),
            &mut |_| {},
        )?;
        Ok(())
    }
}

fn main() -> ExitCode {
    if env::var_os(VARIABLE).is_some() {
        return Suite::new(Logs)
            .against(|clock, budget| Arc::new(MemoryStore::new(clock, budget)))
            .run();
    }
    let broken = MissingGuarantee::ALL.into_iter().map(|missing| {
        Trial::test(format!("without_{}", missing.name()), move || {
            fails_exactly(&missing.name(), &expected(missing))
        })
    });
    let complete_trial = Trial::test("with_every_guarantee", || {
        fails_exactly("nothing", &Expected::default())
    });
    let shrunk = Trial::test(
        "a_failing_history_is_shrunk_and_can_be_replayed",
        shrinks_and_replays,
    );
    libtest_mimic::run(
        &Arguments::from_args(),
        broken.chain([complete_trial, shrunk]).collect(),
    )
    .exit_code()
}

fn fails_exactly(missing: &str, expected: &Expected) -> Result<(), Failed> {
    let failing = failing(missing)?;
    let passing: Vec<_> = expected
        .fail
        .iter()
        .filter(|name| !failing.contains(**name))
        .collect();
    let is_expected = |name: &String| {
        expected
            .fail
            .iter()
            .chain(expected.may_fail)
            .any(|case| case == name)
    };
    let more: Vec<_> = failing.iter().filter(|name| !is_expected(name)).collect();
    if passing.is_empty() && more.is_empty() {
        return Ok(());
    }
    Err(format!(
        "without {missing}: passed unexpectedly: {passing:?}; failed unexpectedly: {more:?}"
    )
    .into())
}

/// Returns the names of the cases that fail on an engine without this guarantee.
fn failing(missing: &str) -> Result<BTreeSet<String>, Failed> {
    let mut suite = Command::new(env::current_exe()?);
    // Two histories are enough for a fault that appears at every reopening.
    suite
        .env(VARIABLE, missing)
        .env("VOIGHT_HISTORIES", "2")
        .env_remove("VOIGHT_SEED");
    let output = suite.output()?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    if !stdout.contains("test result: ") {
        return Err(format!(
            "the suite did not end:\n{stdout}{}",
            String::from_utf8_lossy(&output.stderr)
        )
        .into());
    }
    Ok(stdout
        .lines()
        .filter_map(name_of_failed)
        .map(str::to_owned)
        .collect())
}

/// A lost idempotency record appears after few of two hundred operations; the command in the failure reproduces it.
fn shrinks_and_replays() -> Result<(), Failed> {
    let run_suite = |variables: &[(String, String)]| -> Result<String, Failed> {
        let mut suite = Command::new(env::current_exe()?);
        suite
            .args(["--exact", "histories::match_the_model"])
            .env(VARIABLE, MissingGuarantee::Claims.name());
        suite
            .env("VOIGHT_HISTORIES", "2")
            .envs(variables.iter().cloned());
        Ok(String::from_utf8_lossy(&suite.output()?.stdout).into_owned())
    };
    let output = run_suite(&[])?;
    let command = output
        .lines()
        .find(|line| line.contains("VOIGHT_KEEP="))
        .ok_or("no command was printed")?;
    let variables = command
        .split_whitespace()
        .filter_map(|word| word.split_once('='));
    let variables: Vec<_> = variables
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let operations = output
        .lines()
        .filter(|line| line.starts_with("  ") && line.contains(": "))
        .count();
    if operations > 10 {
        return Err(format!("{operations} operations remain:\n{output}").into());
    }
    let second_output = run_suite(&variables)?;
    let first_failure = |output: &str| {
        output
            .lines()
            .skip_while(|line| !line.starts_with("----"))
            .skip(1)
            .take(4)
            .collect::<String>()
    };
    if first_failure(&second_output) == first_failure(&output) {
        Ok(())
    } else {
        Err(format!("{command} prints another failure:\n{second_output}").into())
    }
}

/// Returns the name in a line `test NAME ... FAILED`.
fn name_of_failed(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let first = words.next()?;
    let name = words.next()?;
    let last = words.next_back()?;
    (first == "test" && last == "FAILED").then_some(name)
}
