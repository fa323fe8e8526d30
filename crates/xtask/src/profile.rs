//! `cargo xtask profile`: draws the flame graph of a hot path.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
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
/// Frames at which the drawn stacks begin: the function that contains nothing else than lookups, and the threads of the store.
const FIRST_FRAMES: [&str; 3] = [
    "voight_hot_path::measure::measured",
    "voight-writer",
    "voight-checkpt",
];
/// Number of profiled lookups of each of the 64 connections; they take several seconds.
const LOOKUPS: &str = "4000";
/// Arguments of `perf` for sampling. It needs no hardware counters, which virtual machines lack. Callers are resolved from a
/// copy of the stack by the unwind tables, which every release build has.
const RECORD: [&str; 5] = [
    "record",
    "--quiet",
    "--event=cpu-clock",
    "--freq=1999",
    "--call-graph=dwarf,32768",
];

/// Installs missing tools, runs the hot path under `perf`, and draws the flame graph.
pub(crate) fn run(
    Profile {
        path: HotPath::Lookup,
        out,
    }: Profile,
) -> Result<ExitCode> {
    let workspace = Workspace::locate()?;
    setup::ensure_profile(&workspace)?;
    process::run(workspace.cargo().args([
        "build",
        "--quiet",
        "--release",
        "-p",
        "voight-bench",
        "--bin",
        PROGRAM,
    ]))?;
    let dir = workspace.profiles();
    fs::create_dir_all(&dir).with_context(|| format!("cannot create {}", dir.display()))?;
    let graph_path = out.unwrap_or_else(|| dir.join("lookup.svg"));
    let graph_path =
        std::path::absolute(graph_path).context("the output directory does not exist")?;
    let [samples, stacks] = ["perf.data", "stacks"].map(|name| dir.join(name));
    let mut record = Command::new("perf");
    record
        .args(RECORD)
        .arg("--output")
        .arg(&samples)
        .arg("--")
        .arg(workspace.binaries_of(RELEASE).join(PROGRAM));
    process::run(record.arg(LOOKUPS))?;
    write_output(
        Command::new("perf")
            .args(["script", "--no-inline", "--input"])
            .arg(&samples),
        &stacks,
    )?;
    let folded_stacks =
        process::required_output(Command::new("inferno-collapse-perf").arg(&stacks))?;
    let lookups = stacks_of_lookups(&folded_stacks);
    if lookups.is_empty() {
        bail!(
            "no sample is of a lookup; run `perf report --input {}` to see what was sampled",
            samples.display()
        );
    }
    write(&stacks, &lookups)?;
    write_output(
        Command::new("inferno-flamegraph")
            .args([
                "--deterministic",
                "--minwidth",
                "0.2",
                "--title",
                "A lookup",
            ])
            .arg(&stacks),
        &graph_path,
    )?;
    console::line(format_args!(
        "flame graph: {}; samples: {}",
        graph_path.display(),
        samples.display()
    ));
    Ok(ExitCode::SUCCESS)
}

/// Writes the standard output of a command to a file.
fn write_output(command: &mut Command, file: &Path) -> Result<()> {
    write(file, &process::required_output(command)?)
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// Returns the folded stacks of lookups, each from the first of [`FIRST_FRAMES`] on. Stacks of the start and the set-up of the
/// program are dropped.
fn stacks_of_lookups(folded: &str) -> String {
    let of_lookup = |stack: &&str| {
        FIRST_FRAMES
            .iter()
            .filter_map(|frame| stack.find(frame))
            .min()
    };
    folded
        .split_inclusive('\n')
        .filter_map(|stack| stack.get(of_lookup(&stack)?..))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::stacks_of_lookups;

    #[test]
    fn only_stacks_of_lookups_are_drawn() {
        let folded_stacks = "voight-hot-path;main;voight_hot_path::platform::new 7\n\
                      voight-hot-path;main;voight_hot_path::measure::measured;poll;read 5\n\
                      voight-writer;thread_start;commit 2\n";
        let expected_stacks =
            "voight_hot_path::measure::measured;poll;read 5\nvoight-writer;thread_start;commit 2\n";
        assert_eq!(stacks_of_lookups(folded_stacks), expected_stacks);
        assert_eq!(
            stacks_of_lookups("voight-hot-path;main;voight_hot_path::platform::new 7\n"),
            ""
        );
    }
}
