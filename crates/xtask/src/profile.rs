//! `cargo xtask profile`: draws the flame graph of a hot path.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

use crate::release_tool::RELEASE;
use crate::workspace::Workspace;
use crate::{console, process, setup};

/// Arguments of `cargo xtask profile`.
#[derive(Debug, Args)]
pub(crate) struct Profile {
    /// Hot path to profile
    #[arg(value_enum)]
    path: HotPath,
    /// Output file (SVG) [default: a file in the target directory]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Hot path of the service.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum HotPath {
    /// From the bytes of a lookup request to the bytes of its response, on the shipped engine
    Lookup,
}

/// Program that runs the hot path.
const PROGRAM: &str = "voight-hot-path";
/// Beginnings of the drawn stacks: the function that contains nothing else than lookups, and the threads of the store.
const MEASURED: &str = "voight_hot_path::measure::measured|voight-writer|voight-checkpt";
/// Number of profiled lookups of each of the 64 connections; they take several seconds.
const LOOKUPS: &str = "4000";
/// Arguments of `perf` for sampling. It needs no hardware counters, which virtual machines lack. Callers are resolved from a
/// copy of the stack by the unwind tables, which every release build has.
const SAMPLING: &str = "record --quiet --event=cpu-clock --freq=1999 --call-graph=dwarf,32768";

/// Installs missing tools, runs the hot path under `perf`, and draws the flame graph.
pub(crate) fn run(Profile { path: HotPath::Lookup, out }: Profile) -> Result<ExitCode> {
    let workspace = Workspace::locate()?;
    setup::ensure_profile(&workspace)?;
    process::run(workspace.cargo().args(["build", "--quiet", "--release", "-p", "voight-bench", "--bin", PROGRAM]))?;
    let dir = workspace.profiles();
    fs::create_dir_all(&dir).with_context(|| format!("cannot create {}", dir.display()))?;
    let drawn = out.unwrap_or_else(|| dir.join("lookup.svg"));
    let drawn = std::path::absolute(drawn).context("the output directory does not exist")?;
    let mut flamegraph = Command::new("flamegraph");
    flamegraph.current_dir(&dir).args(["--no-inline", "--deterministic", "--title", "A lookup", "--cmd", SAMPLING]);
    flamegraph.arg("--post-process").arg(measured()).arg("--output").arg(&drawn);
    process::run(flamegraph.arg("--").arg(workspace.binaries_of(RELEASE).join(PROGRAM)).arg(LOOKUPS))?;
    console::line(format_args!("flame graph: {}; samples: {}", drawn.display(), dir.join("perf.data").display()));
    Ok(ExitCode::SUCCESS)
}

/// Returns the command that filters the stacks of lookups.
///
/// Frames of program start and set-up are removed. The command fails if no sample is of a lookup.
fn measured() -> String {
    format!("grep --extended-regexp --only-matching '({MEASURED}).*'")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::measured;

    fn folded_stacks(stacks: &str) -> (bool, String) {
        let command = format!("printf '{stacks}' | {}", measured());
        let output = Command::new("sh").args(["-c", &command]).output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    }

    #[test]
    fn only_stacks_of_lookups_are_drawn() {
        let stacks = "main;voight_hot_path::platform::new 7\\n\
                      main;voight_hot_path::measure::measured;poll;read 5\\n\
                      voight-writer;thread_start;commit 2\\n";
        let expected = "voight_hot_path::measure::measured;poll;read 5\nvoight-writer;thread_start;commit 2\n";
        assert_eq!(folded_stacks(stacks), (true, expected.to_owned()));
    }

    #[test]
    fn a_profile_without_lookups_is_an_error() {
        assert_eq!(folded_stacks("main;voight_hot_path::platform::new 7\\n"), (false, String::new()));
    }
}
