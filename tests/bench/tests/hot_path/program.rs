//! Program that runs the hot path.

use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Release build of the program.
pub(crate) struct HotPath {
    pub(crate) binary: PathBuf,
}

#[derive(Deserialize)]
struct ProgramOutput {
    lookups: u32,
}

impl HotPath {
    /// Builds the program with the profile `release`.
    pub(crate) fn build() -> Self {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args([
            "build",
            "--quiet",
            "--release",
            "-p",
            "voight-bench",
            "--bin",
            "voight-hot-path",
        ]);
        let status = cargo.status().expect("cargo can be started");
        assert!(
            status.success(),
            "the release build of voight-hot-path failed; the output of cargo is above"
        );
        Self {
            binary: released(Path::new(env!("CARGO_BIN_EXE_voight-hot-path"))),
        }
    }

    /// Returns the number of lookups that the program has printed.
    pub(crate) fn lookups(output: &[u8]) -> u32 {
        let document: ProgramOutput =
            serde_json::from_slice(output).expect("the program prints its lookups");
        document.lookups
    }
}

/// Returns the version of its compiler.
pub(crate) fn compiler() -> String {
    first_line(Command::new("rustc").arg("--version")).expect("there is a compiler")
}

/// Returns the same binary in the directory of release builds, which is next to that of this build.
fn released(binary: &Path) -> PathBuf {
    let dir = binary
        .parent()
        .and_then(Path::parent)
        .expect("binaries are in a directory for their profile");
    dir.join("release")
        .join(binary.file_name().expect("a binary has a name"))
}

/// Returns the first line that a command prints, if it can be started and succeeds.
pub(crate) fn first_line(command: &mut Command) -> Option<String> {
    let output = command
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .next()
        .map(ToOwned::to_owned)
}
