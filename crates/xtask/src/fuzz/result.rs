//! What a run came to.

use serde_json::{Value, json};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One target, looked at once.
#[derive(Debug)]
pub(super) struct FuzzRun {
    pub(super) target: String,
    pub(super) took: Duration,
    /// Inputs tried.
    pub(super) runs: u64,
    pub(super) seed: u32,
    /// When it ended, RFC 3339 in UTC.
    pub(super) date: String,
    /// The commit it is of.
    pub(super) commit: String,
    /// The input that broke it, as small as it could be made.
    pub(super) crash: Option<PathBuf>,
}

impl FuzzRun {
    /// Whether no input broke it.
    pub(super) fn held(&self) -> bool {
        self.crash.is_none()
    }

    fn runs_per_second(&self) -> u64 {
        self.runs / self.took.as_secs().max(1)
    }

    /// The run as one JSON object.
    pub(super) fn json(&self) -> Value {
        let Self { target, took, runs, seed, date, commit, .. } = self;
        json!({
            "target": target,
            "seconds": took.as_secs(),
            "runs": runs,
            "runs_per_second": self.runs_per_second(),
            "seed": seed,
            "date": date,
            "commit": commit,
            "crashes": u8::from(!self.held()),
        })
    }
}

impl fmt::Display for FuzzRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { target, took, runs, seed, .. } = self;
        write!(
            f,
            "{target:<16} {runs:>12} inputs in {} s ({}/s), seed {seed}: ",
            took.as_secs(),
            self.runs_per_second()
        )?;
        match &self.crash {
            None => f.write_str("held"),
            Some(input) => write!(f, "CRASHED\n{}", reproduce_command(target, input)),
        }
    }
}

/// The command that gives the input to the target once more.
fn reproduce_command(target: &str, input: &Path) -> String {
    format!("    cargo xtask fuzz {target} --replay {}", input.display())
}

/// The number of inputs that libFuzzer says it has tried, in its last lines.
pub(super) fn tried(said: &str) -> Option<u64> {
    said.lines().rev().find_map(|line| line.strip_prefix("stat::number_of_executed_units:")?.trim().parse().ok())
}

/// The file in which libFuzzer says it has put the input that broke the target.
pub(super) fn crash(said: &str) -> Option<PathBuf> {
    said.lines().rev().find_map(|line| line.split_once("Test unit written to ")).map(|(_, path)| path.trim().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "INFO: Seed: 7\n==1== ERROR: libFuzzer: deadly signal\nartifact_prefix='a/'; Test unit written to a/crash-01\n\
                        stat::number_of_executed_units: 12345\nstat::average_exec_per_sec:     99\n";

    fn run(crash: Option<&str>) -> FuzzRun {
        FuzzRun {
            target: "dump".into(),
            took: Duration::from_millis(60_400),
            runs: 1_200_000,
            seed: 7,
            date: "2026-11-21T10:00:00Z".into(),
            commit: "0123abc".into(),
            crash: crash.map(Into::into),
        }
    }

    #[test]
    fn the_engine_s_last_lines_are_understood() {
        assert_eq!(tried(SAID), Some(12345));
        assert_eq!(crash(SAID), Some("a/crash-01".into()));
        assert_eq!((tried("INFO"), crash("INFO")), (None, None));
    }

    #[test]
    fn a_result_is_one_object() {
        let expected = json!({
            "target": "dump", "seconds": 60, "runs": 1_200_000, "runs_per_second": 20_000, "seed": 7,
            "date": "2026-11-21T10:00:00Z", "commit": "0123abc", "crashes": 0,
        });
        assert_eq!(run(None).json(), expected);
        assert_eq!(run(Some("x")).json()["crashes"], 1);
    }

    #[test]
    fn a_crash_is_told_with_the_command_that_repeats_it() {
        assert!(run(None).to_string().ends_with("held"));
        let told = run(Some("target/fuzz/artifacts/dump/crash-01")).to_string();
        assert!(told.ends_with("cargo xtask fuzz dump --replay target/fuzz/artifacts/dump/crash-01"), "{told}");
    }
}
