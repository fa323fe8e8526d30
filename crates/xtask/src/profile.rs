//! `cargo xtask profile`: what a hot path spends its time on, as a flame graph.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

use crate::tool::RELEASE;
use crate::workspace::Workspace;
use crate::{process, say, setup};

/// What to look at, and where the picture goes.
#[derive(Debug, Args)]
pub(crate) struct Profile {
    /// The path to look at.
    #[arg(value_enum)]
    path: HotPath,
    /// The SVG to write, instead of one in the target folder.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A path that many requests take.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum HotPath {
    /// From the bytes of a lookup to the bytes of its answer, over the store in memory.
    Lookup,
}

/// The program that goes the path, and the function in which it does nothing else.
const PROGRAM: &str = "voight-hot-path";
const MEASURED: &str = "voight_hot_path::measure::measured";
/// How many lookups are looked at: some seconds of them.
const LOOKUPS: &str = "200000";
/// How often it is looked what the program does, and how. The processor's own counters, of which a virtual machine has none,
/// are not needed; callers are found by the tables for unwinding, which every release build has, in a copy of the stack.
const SAMPLING: &str = "record --quiet --event=cpu-clock --freq=1999 --call-graph=dwarf,32768";

/// Installs what is missing, runs the path under `perf`, and draws what that has seen.
pub(crate) fn run(Profile { path: HotPath::Lookup, out }: Profile) -> Result<ExitCode> {
    let workspace = Workspace::locate()?;
    setup::ensure_profile(&workspace)?;
    process::run(workspace.cargo().args(["build", "--quiet", "--release", "-p", "voight-bench", "--bin", PROGRAM]))?;
    let folder = workspace.profiles();
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let drawn = out.unwrap_or_else(|| folder.join("lookup.svg"));
    let drawn = std::path::absolute(drawn).context("the folder of the picture is gone")?;
    let mut flamegraph = Command::new("flamegraph");
    flamegraph.current_dir(&folder).args(["--no-inline", "--deterministic", "--title", "A lookup", "--cmd", SAMPLING]);
    flamegraph.arg("--post-process").arg(measured()).arg("--output").arg(&drawn);
    process::run(flamegraph.arg("--").arg(workspace.binaries_of(RELEASE).join(PROGRAM)).arg(LOOKUPS))?;
    say::line(format_args!("drawn in {}, from the samples in {}", drawn.display(), folder.join("perf.data").display()));
    Ok(ExitCode::SUCCESS)
}

/// The command that keeps the stacks below the measured function, without the frames above it: neither the start of the program nor its
/// set-up is wanted. It fails if no sample shows the function.
fn measured() -> String {
    format!("grep --only-matching '{MEASURED}.*'")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::measured;

    fn kept(stacks: &str) -> (bool, String) {
        let command = format!("printf '{stacks}' | {}", measured());
        let output = Command::new("sh").args(["-c", &command]).output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    }

    #[test]
    fn only_what_was_measured_is_drawn() {
        let stacks = "main;voight_hot_path::platform::new 7\\n\
                      main;voight_hot_path::measure::measured;poll;read 5\\n\
                      main;voight_hot_path::measure::measured;poll 2\\n";
        let expected = "voight_hot_path::measure::measured;poll;read 5\nvoight_hot_path::measure::measured;poll 2\n";
        assert_eq!(kept(stacks), (true, expected.to_owned()));
    }

    #[test]
    fn a_profile_without_the_measured_function_is_refused() {
        assert_eq!(kept("main;voight_hot_path::platform::new 7\\n"), (false, String::new()));
    }
}
