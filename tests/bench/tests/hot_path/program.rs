//! Program that runs the hot path.

use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Release build of the program, and the output of one run.
pub(crate) struct HotPath {
    pub(crate) binary: PathBuf,
    document: ProgramOutput,
}

#[derive(Deserialize)]
struct ProgramOutput {
    lookups: u32,
}

impl HotPath {
    /// Builds the program with the profile `release`, and runs it once.
    pub(crate) fn build() -> Self {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--release", "-p", "voight-bench", "--bin", "voight-hot-path"]);
        let built = cargo.status().expect("cargo can be started");
        assert!(built.success(), "the release build of voight-hot-path failed; the output of cargo is above");
        let binary = released(Path::new(env!("CARGO_BIN_EXE_voight-hot-path")));
        let output = Command::new(&binary).stderr(Stdio::inherit()).output().expect("the program can be started");
        assert!(output.status.success(), "{} failed; its output is above", binary.display());
        let document = serde_json::from_slice(&output.stdout).expect("the program prints its counts");
        Self { binary, document }
    }

    /// Returns the number of measured lookups.
    pub(crate) fn lookups(&self) -> u32 {
        self.document.lookups
    }
}

/// Returns the version of its compiler.
pub(crate) fn compiler() -> String {
    first_line(Command::new("rustc").arg("--version")).expect("there is a compiler")
}

/// Returns the same binary in the directory of release builds, which is next to that of this build.
fn released(binary: &Path) -> PathBuf {
    let dir = binary.parent().and_then(Path::parent).expect("binaries are in a directory for their profile");
    dir.join("release").join(binary.file_name().expect("a binary has a name"))
}

/// Returns the first line that a command prints, if it can be started and succeeds.
pub(crate) fn first_line(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(ToOwned::to_owned)
}
