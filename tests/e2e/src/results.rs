//! Result files of measurements: date, machine and commit.

use crate::paths::repository;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::thread;
pub use voight_support::sources::{SourceDigests, SourceTree, TriedSources, without_stale_reasons};

/// Machine of a measurement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Number of cores.
    pub cores: usize,
    /// Release of the kernel.
    pub kernel: String,
}

impl Machine {
    /// Returns this machine.
    pub fn this() -> Self {
        let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self {
            cores,
            kernel: kernel.trim().to_owned(),
        }
    }
}

/// Returns the digests of the sources that a result depends on.
pub fn source_digests(tried_sources: &TriedSources) -> io::Result<SourceDigests> {
    Ok(source_tree()?.digests(tried_sources))
}

/// Returns the sources of the repository.
pub fn source_tree() -> io::Result<SourceTree> {
    SourceTree::read(repository())
}

/// Returns the current date, UTC, for example `2026-11-21`.
pub fn today() -> io::Result<String> {
    command_output("date", &["-u", "+%F"], "results name their day")
}

/// Returns the commit of the sources, marked if they have been changed since.
pub fn commit() -> io::Result<String> {
    let arguments = ["describe", "--always", "--dirty", "--abbrev=12"];
    command_output(
        "git",
        &arguments,
        "results name the revision that they are of",
    )
}

/// Returns the output of a program; an error says what it is needed for.
fn command_output(program: &str, arguments: &[&str], purpose: &str) -> io::Result<String> {
    let output = Command::new(program).args(arguments).output();
    let output = output.map_err(|error| {
        io::Error::new(
            error.kind(),
            format!("{program} does not start; {purpose}: {error}"),
        )
    })?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Writes a result to `path` as JSON, atomically; creates its directory if necessary.
pub fn write(path: &Path, result: &impl Serialize) -> io::Result<()> {
    let draft = path.with_extension("partial");
    let text = serde_json::to_string_pretty(result)? + "\n";
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    fs::write(&draft, text)?;
    fs::rename(&draft, path)
}
