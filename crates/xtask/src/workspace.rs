//! Where things are.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// The folders of the workspace this tool was built from.
#[derive(Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
    /// The folder this executable lies in, where cargo puts the other binaries of the same build.
    binaries: PathBuf,
}

impl Workspace {
    /// Finds the workspace by where this crate lies, and its target folder by where this executable lies,
    /// so that every way of configuring cargo's target folder is honoured.
    pub(crate) fn locate() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let root = root.canonicalize().context("the workspace this tool was built from is gone")?;
        let executable = env::current_exe().context("cannot tell where this executable lies")?;
        let binaries = executable.parent().context("this executable lies nowhere")?.to_path_buf();
        Ok(Self { root, binaries })
    }

    /// The top level of the repository.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Cargo, at the top level.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = Command::new("cargo");
        command.current_dir(&self.root);
        command
    }

    /// Git, at the top level.
    pub(crate) fn git(&self) -> Command {
        let mut command = Command::new("git");
        command.current_dir(&self.root);
        command
    }

    /// The binary under test.
    pub(crate) fn binary(&self) -> PathBuf {
        self.binaries.join("voight")
    }

    /// The folder of the binaries of another profile.
    pub(crate) fn binaries_of(&self, profile: &str) -> PathBuf {
        self.binaries.parent().unwrap_or(&self.binaries).join(profile)
    }

    /// The folder of private tools. Deleting it costs a set-up and nothing else.
    pub(crate) fn tools(&self) -> PathBuf {
        self.binaries.parent().unwrap_or(&self.binaries).join("tools")
    }

    /// The folder of what fuzzing leaves: programs, inputs found, results. Deleting it costs what was found.
    pub(crate) fn fuzz(&self) -> PathBuf {
        self.binaries.parent().unwrap_or(&self.binaries).join("fuzz")
    }

    /// The folder of flame graphs.
    pub(crate) fn profiles(&self) -> PathBuf {
        self.binaries.parent().unwrap_or(&self.binaries).join("profiles")
    }

    /// The crate of fuzz targets.
    pub(crate) fn fuzz_crate(&self) -> PathBuf {
        self.root.join("crates/fuzz")
    }

    /// The crate of browser assets, where Cargo.toml and package.json lie side by side.
    pub(crate) fn browser_crate(&self) -> PathBuf {
        self.root.join("crates/browser")
    }

    /// The npm package of the component, where it is written.
    pub(crate) fn npm_package(&self) -> PathBuf {
        self.binaries.parent().unwrap_or(&self.binaries).join("npm")
    }

    /// The files of the browser crate as its sources build them, to be compared or committed.
    pub(crate) fn assets(&self) -> PathBuf {
        self.binaries.parent().unwrap_or(&self.binaries).join("assets")
    }

    /// The tests of pages, with the list of what they are built on.
    pub(crate) fn page_tests(&self) -> PathBuf {
        self.root.join("tests/pages")
    }

    /// The crate of the zoo, with the lists of what its programs are built on.
    pub(crate) fn zoo_crate(&self) -> PathBuf {
        self.root.join("crates/zoo")
    }

    /// What one would write by hand instead of the service, a folder each.
    pub(crate) fn peers(&self) -> PathBuf {
        self.root.join("crates/bench/peers")
    }

    /// The recordings that detection is tested with, unless the environment names another folder.
    pub(crate) fn default_corpus(&self) -> PathBuf {
        self.root.join("../shared/data")
    }

    /// The record that the test runner leaves of its last run. Its place does not follow the target folder.
    pub(crate) fn test_record(&self) -> PathBuf {
        self.root.join("target/nextest/ci/junit.xml")
    }
}
