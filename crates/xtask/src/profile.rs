//! `cargo xtask profile`: what a hot path spends its time on, as a flame graph.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};
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
const SAMPLING: [&str; 5] = ["record", "--quiet", "--event=cpu-clock", "--freq=1999", "--call-graph=dwarf,32768"];

/// Installs what is missing, runs the path under `perf`, and draws what that has seen.
pub(crate) fn run(Profile { path: HotPath::Lookup, out }: Profile) -> Result<ExitCode> {
    let workspace = Workspace::locate()?;
    setup::ensure_profile(&workspace)?;
    process::run(workspace.cargo().args(["build", "--quiet", "--release", "-p", "voight-bench", "--bin", PROGRAM]))?;
    let folder = workspace.profiles();
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let stacks = folder.join("lookup.stacks");
    let drawn = out.unwrap_or_else(|| folder.join("lookup.svg"));
    fs::write(&stacks, measured(&sampled(&workspace, &folder)?)?).context("the stacks cannot be kept")?;
    draw(&stacks, &drawn)?;
    say::line(format_args!("drawn in {}, from the stacks in {}", drawn.display(), stacks.display()));
    Ok(ExitCode::SUCCESS)
}

/// Every stack that was seen and how often, one in a line.
fn sampled(workspace: &Workspace, folder: &Path) -> Result<String> {
    let data = folder.join("perf.data");
    let mut perf = Command::new("perf");
    perf.args(SAMPLING).arg("--output").arg(&data);
    process::run(perf.arg(workspace.binaries_of(RELEASE).join(PROGRAM)).arg(LOOKUPS))?;
    let mut script = Command::new("perf");
    let script = script.args(["script", "--no-inline", "--input"]).arg(&data).stdout(Stdio::piped());
    let mut script = script.spawn().context("perf cannot be started")?;
    let mut collapse = Command::new("inferno-collapse-perf");
    collapse.stdin(script.stdout.take().context("perf says nothing")?);
    let collapsed = collapse.stderr(Stdio::inherit()).output().context("inferno-collapse-perf cannot be started")?;
    let read = script.wait()?;
    fs::remove_file(&data).with_context(|| format!("cannot remove {}", data.display()))?;
    if !read.success() || !collapsed.status.success() {
        bail!("the samples cannot be read; what was said about them stands above");
    }
    Ok(String::from_utf8_lossy(&collapsed.stdout).into_owned())
}

/// The stacks below the measured function, without what is above it: neither the start of the program nor its set-up is wanted.
fn measured(stacks: &str) -> Result<String> {
    let below = |line: &str| line.find(MEASURED).and_then(|at| line.get(at..)).map(|stack| format!("{stack}\n"));
    let kept: String = stacks.lines().filter_map(below).collect();
    if kept.is_empty() {
        bail!("no sample shows {MEASURED}; has the program another name for it, or was it too quick?");
    }
    Ok(kept)
}

fn draw(stacks: &Path, to: &Path) -> Result<()> {
    let mut flamegraph = Command::new("inferno-flamegraph");
    flamegraph.args(["--title", "A lookup", "--countname", "ns", "--hash", "--minwidth", "0.2"]);
    let drawn = process::output(flamegraph.arg(stacks)).context("inferno-flamegraph failed")?;
    fs::write(to, drawn).with_context(|| format!("cannot write {}", to.display()))
}

#[cfg(test)]
mod tests {
    use super::measured;

    #[test]
    fn only_what_was_measured_is_drawn() {
        let stacks = "\
            main;voight_hot_path::platform::new 7\n\
            main;voight_hot_path::measure::measured;poll;read 5\n\
            main;voight_hot_path::measure::measured;poll 2\n";
        let kept = "voight_hot_path::measure::measured;poll;read 5\nvoight_hot_path::measure::measured;poll 2\n";
        assert_eq!(measured(stacks).unwrap(), kept);
    }

    #[test]
    fn a_profile_without_the_measured_function_is_refused() {
        assert!(measured("main;voight_hot_path::platform::new 7\n").unwrap_err().to_string().contains("no sample"));
    }
}
