//! Result of a fuzzing run.

use serde_json::{Value, json};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use voight_support::sources::SourceDigests;

/// One fuzzing run of one target.
#[derive(Debug)]
pub(super) struct FuzzRun {
    pub(super) target: String,
    pub(super) duration: Duration,
    /// Number of inputs tried.
    pub(super) runs: u64,
    pub(super) seed: u32,
    /// End of the run, RFC 3339 in UTC.
    pub(super) date: String,
    /// Commit of the sources.
    pub(super) commit: String,
    /// Digests of the sources that the target parses with.
    pub(super) sources: SourceDigests,
    /// Input that crashed the target, minimised if possible.
    pub(super) crash: Option<PathBuf>,
}

impl FuzzRun {
    /// Returns `true` if no input crashed the target.
    pub(super) fn passed(&self) -> bool {
        self.crash.is_none()
    }

    fn runs_per_second(&self) -> u64 {
        self.runs / self.duration.as_secs().max(1)
    }

    /// Formats the run as one JSON object.
    pub(super) fn json(&self) -> Value {
        let Self {
            target,
            duration,
            runs,
            seed,
            date,
            commit,
            sources,
            ..
        } = self;
        json!({
            "target": target,
            "seconds": duration.as_secs(),
            "runs": runs,
            "runs_per_second": self.runs_per_second(),
            "seed": seed,
            "date": date,
            "commit": commit,
            "sources": sources,
            "crashes": u8::from(!self.passed()),
        })
    }
}

impl fmt::Display for FuzzRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            target,
            duration,
            runs,
            seed,
            ..
        } = self;
        write!(
            f,
            "{target:<16} {runs:>12} inputs in {} s ({}/s), seed {seed}: ",
            duration.as_secs(),
            self.runs_per_second()
        )?;
        match &self.crash {
            None => f.write_str("passed"),
            Some(input) => write!(f, "CRASHED\n{}", reproduce_command(target, input)),
        }
    }
}

/// Returns the command that runs the target with this input again.
fn reproduce_command(target: &str, input: &Path) -> String {
    format!("    cargo xtask fuzz {target} --replay {}", input.display())
}

/// Returns the number of tried inputs from the last lines of libFuzzer's output.
pub(super) fn executed_inputs(output: &str) -> Option<u64> {
    output.lines().rev().find_map(|line| {
        line.strip_prefix("stat::number_of_executed_units:")?
            .trim()
            .parse()
            .ok()
    })
}

/// Returns the file of the crashing input from libFuzzer's output.
pub(super) fn crash(output: &str) -> Option<PathBuf> {
    output
        .lines()
        .rev()
        .find_map(|line| line.split_once("Test unit written to "))
        .map(|(_, path)| path.trim().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "INFO: Seed: 7\n==1== ERROR: libFuzzer: deadly signal\nartifact_prefix='a/'; Test unit written to a/crash-01\n\
                        stat::number_of_executed_units: 12345\nstat::average_exec_per_sec:     99\n";

    fn run(crash: Option<&str>) -> FuzzRun {
        FuzzRun {
            target: "dump".into(),
            duration: Duration::from_millis(60_400),
            runs: 1_200_000,
            seed: 7,
            date: "2026-11-21T10:00:00Z".into(),
            commit: "0123abc".into(),
            sources: [("voight-embedded".to_owned(), "0f".to_owned())].into(),
            crash: crash.map(Into::into),
        }
    }

    #[test]
    fn the_last_lines_of_libfuzzer_are_parsed() {
        assert_eq!(executed_inputs(OUTPUT), Some(12345));
        assert_eq!(crash(OUTPUT), Some("a/crash-01".into()));
        assert_eq!((executed_inputs("INFO"), crash("INFO")), (None, None));
    }

    #[test]
    fn a_result_is_a_json_object() {
        let expected_json = json!({
            "target": "dump", "seconds": 60, "runs": 1_200_000, "runs_per_second": 20_000, "seed": 7,
            "date": "2026-11-21T10:00:00Z", "commit": "0123abc",
            "sources": {"voight-embedded": "0f"}, "crashes": 0,
        });
        assert_eq!(run(None).json(), expected_json);
        assert_eq!(run(Some("x")).json()["crashes"], 1);
    }

    #[test]
    fn crash_is_reported_with_its_command() {
        assert!(run(None).to_string().ends_with("passed"));
        let text = run(Some("target/fuzz/artifacts/dump/crash-01")).to_string();
        assert!(
            text.ends_with("cargo xtask fuzz dump --replay target/fuzz/artifacts/dump/crash-01"),
            "{text}"
        );
    }
}
