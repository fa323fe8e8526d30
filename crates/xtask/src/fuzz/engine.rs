//! libFuzzer around the targets.
//!
//! `cargo fuzz` knows the flags that make the compiler count what an input reaches; without a sanitizer they are all
//! stable, and there is no `unsafe` that a sanitizer would look at. The program is then run directly.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Error, Result, bail};
use jiff::Timestamp;

use super::result::{FuzzRun, crash, tried};
use crate::process::{self, Stream};
use crate::stopwatch::timed;
use crate::workspace::Workspace;

/// One input may take this long, in seconds, and this much memory, in MiB.
const LIMITS: [&str; 2] = ["-timeout=10", "-rss_limit_mb=2048"];
/// How long an input that crashes is made smaller, in seconds.
const MINIMISE: &str = "-max_total_time=30";

/// The program that runs any target, and the variable that names the target.
const PROGRAM: &str = "libfuzzer";
const VARIABLE: &str = "VOIGHT_FUZZ_TARGET";

/// The names of all targets, sorted: those of their corpora.
pub(super) fn targets(workspace: &Workspace) -> Result<Vec<String>> {
    let folder = workspace.fuzz_crate().join("corpus");
    let corpora = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut names: Vec<_> = corpora.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    Ok(names)
}

/// The program of the targets, built.
#[derive(Debug)]
pub(super) struct LibFuzzer {
    program: PathBuf,
    /// Inputs found and results.
    folder: PathBuf,
    /// The committed corpora.
    seeds: PathBuf,
    commit: String,
}

impl LibFuzzer {
    /// Builds the program.
    pub(super) fn build(workspace: &Workspace) -> Result<Self> {
        let host = host()?;
        let folder = workspace.fuzz();
        let build = folder.join("build");
        let mut command = workspace.cargo();
        command.args(["fuzz", "build", "--sanitizer", "none", "--features", "libfuzzer", "--target", &host]);
        command.arg("--fuzz-dir").arg(workspace.fuzz_crate()).arg("--target-dir").arg(&build).arg(PROGRAM);
        // Optimising the program as a whole takes longer than it gains in a run of minutes.
        command.env("CARGO_PROFILE_RELEASE_LTO", "off");
        if !process::listening(Stream::Stderr, &mut command)?.0 {
            bail!("the fuzz program cannot be built; the messages of the compiler are above");
        }
        let seeds = workspace.fuzz_crate().join("corpus");
        let commit = command_output(workspace.git().args(["describe", "--always", "--abbrev=12", "--dirty"]))?;
        Ok(Self { program: build.join(host).join("release").join(PROGRAM), folder, seeds, commit })
    }

    /// Gives the target one input; whether it held.
    pub(super) fn replay(&self, target: &str, input: &Path) -> Result<bool> {
        if !input.is_file() {
            bail!("there is no file {}; name an input that a run has left", input.display());
        }
        Ok(process::listening(Stream::Stderr, self.program(target).args(LIMITS).arg(input))?.0)
    }

    /// Tries inputs for this long, and writes down what that came to.
    pub(super) fn run_target(&self, target: &str, time: Duration, seed: u32) -> Result<FuzzRun> {
        let found = self.made("corpus", target)?;
        let mut command = self.program(target);
        command.arg(&found).arg(self.seeds.join(target)).args(LIMITS).arg("-print_final_stats=1");
        command.args([format!("-max_total_time={}", time.as_secs()), format!("-seed={seed}")]);
        command.arg(self.artifacts(target)?);
        let (said, took) = timed(|| process::listening(Stream::Stderr, &mut command));
        let (held, said) = said?;
        let crash = if held { None } else { Some(self.smaller(target, crash(&said), &said)?) };
        let runs = tried(&said).with_context(|| format!("`{target}` ended without saying how many inputs it tried"))?;
        let date = now()?;
        let run = FuzzRun { target: target.to_owned(), took, runs, seed, date, commit: self.commit.clone(), crash };
        let file = self.folder.join(format!("{target}.json"));
        fs::write(&file, format!("{}\n", run.json())).with_context(|| format!("cannot write {}", file.display()))?;
        Ok(run)
    }

    /// The input that crashed the target, or a smaller one that does too.
    fn smaller(&self, target: &str, input: Option<PathBuf>, said: &str) -> Result<PathBuf> {
        let Some(input) = input else {
            bail!("`{target}` stopped without an input to blame: {}", said.lines().last().unwrap_or("it said nothing"));
        };
        let small = input.with_extension("small");
        let mut exact = OsString::from("-exact_artifact_path=");
        exact.push(&small);
        let mut command = self.program(target);
        command.args(["-minimize_crash=1", MINIMISE]).args(LIMITS).arg(exact).arg(&input);
        process::listening(Stream::Stderr, &mut command)?;
        Ok(if small.is_file() { small } else { input })
    }

    fn program(&self, target: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.env(VARIABLE, target);
        command
    }

    fn artifacts(&self, target: &str) -> Result<OsString> {
        let mut argument = OsString::from("-artifact_prefix=");
        argument.push(self.made("artifacts", target)?);
        argument.push("/");
        Ok(argument)
    }

    /// The folder `what/target`, made if it is not there.
    fn made(&self, what: &str, target: &str) -> Result<PathBuf> {
        let folder = self.folder.join(what).join(target);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(folder)
    }
}

/// The time, RFC 3339 in UTC, in seconds.
#[expect(clippy::disallowed_methods, reason = "a result says when it was measured")]
fn now() -> Result<String> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock is before 1970")?;
    Timestamp::from_second(i64::try_from(since.as_secs())?).map(|time| time.to_string()).map_err(Error::msg)
}

/// The triple that the compiler builds for.
fn host() -> Result<String> {
    let said = command_output(Command::new("rustc").arg("-vV"))?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(ToOwned::to_owned).context("`rustc -vV` does not say what it builds for")
}

/// What a command prints, without the line's end.
fn command_output(command: &mut Command) -> Result<String> {
    let said =
        process::output(command).with_context(|| format!("`{}` says nothing", process::command_line(command)))?;
    Ok(said.trim_end().to_owned())
}
