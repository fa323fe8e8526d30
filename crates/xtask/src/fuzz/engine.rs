//! Runner of the fuzz targets with libFuzzer.
//!
//! `cargo fuzz` knows the compiler flags of coverage instrumentation. Without a sanitizer they are all stable, and there is no
//! `unsafe` that a sanitizer would check. The program is then run directly.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use voight_support::sources::SourceTree;

use super::result::{FuzzRun, crash, executed_inputs};
use super::sources::parsed_sources;
use crate::process::{self, Stream};
use crate::stopwatch::{now, timed};
use crate::workspace::Workspace;

/// Limits for one input: time in seconds and memory in MiB.
const LIMITS: [&str; 2] = ["-timeout=10", "-rss_limit_mb=2048"];
/// Time limit for minimising a crashing input, in seconds.
const MINIMISE: &str = "-max_total_time=30";

/// Program that runs any target, and the variable that names the target.
const PROGRAM: &str = "libfuzzer";
const VARIABLE: &str = "VOIGHT_FUZZ_TARGET";

/// Returns the names of all targets, sorted; each target has a corpus with its name.
pub(super) fn targets(workspace: &Workspace) -> Result<Vec<String>> {
    let dir = workspace.fuzz_crate().join("corpus");
    let corpora = fs::read_dir(&dir).with_context(|| format!("cannot read {}", dir.display()))?;
    let mut names: Vec<_> = corpora
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    Ok(names)
}

/// Built fuzzing program.
#[derive(Debug)]
pub(super) struct LibFuzzer {
    program: PathBuf,
    /// Directory of found inputs and results.
    dir: PathBuf,
    /// Directory of the committed corpora.
    seeds: PathBuf,
    commit: String,
    source_tree: SourceTree,
}

impl LibFuzzer {
    /// Builds the program.
    pub(super) fn build(workspace: &Workspace) -> Result<Self> {
        let host = host()?;
        let dir = workspace.fuzz();
        let build = dir.join("build");
        let mut command = workspace.cargo();
        command.args([
            "fuzz",
            "build",
            "--sanitizer",
            "none",
            "--features",
            "libfuzzer",
            "--target",
            &host,
        ]);
        command
            .arg("--fuzz-dir")
            .arg(workspace.fuzz_crate())
            .arg("--target-dir")
            .arg(&build)
            .arg(PROGRAM);
        // Link-time optimisation takes longer than it saves in a run of minutes.
        command.env("CARGO_PROFILE_RELEASE_LTO", "off");
        if !process::run_captured_quietly(Stream::Stderr, &mut command)?.0 {
            bail!("the fuzz program cannot be built; the messages of the compiler are above");
        }
        let seeds = workspace.fuzz_crate().join("corpus");
        let commit = command_output(workspace.git().args([
            "describe",
            "--always",
            "--abbrev=12",
            "--dirty",
        ]))?;
        let source_tree = SourceTree::read(workspace.root())?;
        Ok(Self {
            program: build.join(host).join("release").join(PROGRAM),
            dir,
            seeds,
            commit,
            source_tree,
        })
    }

    /// Runs the target with one input; returns `true` if it did not crash.
    pub(super) fn replay(&self, target: &str, input: &Path) -> Result<bool> {
        if !input.is_file() {
            bail!(
                "{} does not exist; name an input that a run wrote",
                input.display()
            );
        }
        Ok(process::run_captured_quietly(
            Stream::Stderr,
            self.program(target).args(LIMITS).arg(input),
        )?
        .0)
    }

    /// Fuzzes the target for `time`, and writes the result to its file.
    pub(super) fn run_target(&self, target: &str, time: Duration, seed: u32) -> Result<FuzzRun> {
        let corpus = self.directory("corpus", target)?;
        let mut command = self.program(target);
        command
            .arg(&corpus)
            .arg(self.seeds.join(target))
            .args(LIMITS)
            .arg("-print_final_stats=1");
        command.args([
            format!("-max_total_time={}", time.as_secs()),
            format!("-seed={seed}"),
        ]);
        command.arg(self.artifacts(target)?);
        let (output, duration) =
            timed(|| process::run_captured_quietly(Stream::Stderr, &mut command));
        let (passed, output) = output?;
        let crash = if passed {
            None
        } else {
            Some(self.minimised(target, crash(&output), &output)?)
        };
        let runs = executed_inputs(&output)
            .with_context(|| format!("`{target}` ended without printing its number of inputs"))?;
        let date = now()?.to_string();
        let sources = self
            .source_tree
            .digests(&parsed_sources(target, self.source_tree.root())?);
        let target_name = target.to_owned();
        let commit = self.commit.clone();
        let fuzz_run = FuzzRun {
            target: target_name,
            duration,
            runs,
            seed,
            date,
            commit,
            sources,
            crash,
        };
        let file = self.dir.join(format!("{target}.json"));
        fs::write(&file, format!("{}\n", fuzz_run.json()))
            .with_context(|| format!("cannot write {}", file.display()))?;
        Ok(fuzz_run)
    }

    /// Minimises the input that crashed the target; returns the smallest one that still crashes it.
    fn minimised(&self, target: &str, input: Option<PathBuf>, output: &str) -> Result<PathBuf> {
        let Some(input) = input else {
            bail!(
                "`{target}` failed without a crashing input: {}",
                output.lines().last().unwrap_or("no output")
            );
        };
        let small = input.with_extension("small");
        let mut exact = OsString::from("-exact_artifact_path=");
        exact.push(&small);
        let mut command = self.program(target);
        command
            .args(["-minimize_crash=1", MINIMISE])
            .args(LIMITS)
            .arg(exact)
            .arg(&input);
        process::run_captured_quietly(Stream::Stderr, &mut command)?;
        Ok(if small.is_file() { small } else { input })
    }

    fn program(&self, target: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.env(VARIABLE, target);
        command
    }

    fn artifacts(&self, target: &str) -> Result<OsString> {
        let mut argument = OsString::from("-artifact_prefix=");
        argument.push(self.directory("artifacts", target)?);
        argument.push("/");
        Ok(argument)
    }

    /// Returns the directory `what/target`; creates it if necessary.
    fn directory(&self, what: &str, target: &str) -> Result<PathBuf> {
        let dir = self.dir.join(what).join(target);
        fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
        Ok(dir)
    }
}

/// Returns the target triple of the compiler's host.
fn host() -> Result<String> {
    let output = command_output(Command::new("rustc").arg("-vV"))?;
    let host = output.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(ToOwned::to_owned)
        .context("`rustc -vV` prints no host")
}

/// Returns the output of a command, without the line end.
fn command_output(command: &mut Command) -> Result<String> {
    let output = process::output(command)
        .with_context(|| format!("`{}` says nothing", process::command_line(command)))?;
    Ok(output.trim_end().to_owned())
}
