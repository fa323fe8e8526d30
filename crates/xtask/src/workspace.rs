//! Paths of the workspace.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::test_stage::TestStage;

/// Directories of the workspace from which this tool was built.
#[derive(Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
    /// Directory of this executable, into which cargo also writes the other binaries of the build.
    binaries: PathBuf,
    /// `true` if the tests of the full tier run.
    full_tier: bool,
}

impl Workspace {
    /// Locates the workspace by the path of this crate, and its target directory by this executable.
    ///
    /// Every configuration of cargo's target directory works.
    pub(crate) fn locate() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let root = root
            .canonicalize()
            .context("the workspace of this tool does not exist")?;
        let executable = env::current_exe().context("cannot locate this executable")?;
        let binaries = executable
            .parent()
            .context("this executable has no directory")?
            .to_path_buf();
        Ok(Self {
            root,
            binaries,
            full_tier: false,
        })
    }

    /// Returns the workspace for a run of the full tier.
    pub(crate) fn for_full_tier(self) -> Self {
        Self {
            full_tier: true,
            ..self
        }
    }

    /// Returns `true` if the tests of the full tier run.
    pub(crate) fn is_full_tier(&self) -> bool {
        self.full_tier
    }

    /// Returns the top-level directory of the repository.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns a command that runs cargo in the top-level directory.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = Command::new("cargo");
        command.current_dir(&self.root);
        command
    }

    /// Returns a command that runs cargo with clippy as the compiler of the workspace. A warning is an error.
    ///
    /// `cargo clippy` does the same for `cargo check`, whose results no build can use.
    pub(crate) fn cargo_with_clippy(&self, subcommand: &[&str]) -> Command {
        let mut command = self.cargo();
        command.args(subcommand);
        command.args(["--config", "build.rustc-workspace-wrapper='clippy-driver'"]);
        command.env("CLIPPY_ARGS", "-Dwarnings");
        command
    }

    /// Returns a command that lints and builds everything with all features, so that no crate is rebuilt for the tests.
    pub(crate) fn build_everything(&self) -> Command {
        self.cargo_with_clippy(&["build", "--workspace", "--all-targets"])
    }

    /// Returns a command that runs git in the top-level directory.
    pub(crate) fn git(&self) -> Command {
        let mut command = Command::new("git");
        command.current_dir(&self.root);
        command
    }

    /// Returns the path of the binary under test.
    pub(crate) fn binary(&self) -> PathBuf {
        self.binaries.join("voight")
    }

    /// Returns the directory of the binaries of another profile.
    pub(crate) fn binaries_of(&self, profile: &str) -> PathBuf {
        self.target().join(profile)
    }

    /// Returns the target directory.
    pub(crate) fn target(&self) -> PathBuf {
        self.binaries
            .parent()
            .unwrap_or(&self.binaries)
            .to_path_buf()
    }

    /// Returns the files from which packages for Linux are written.
    pub(crate) fn packaging(&self) -> PathBuf {
        self.root.join("crates/app/packaging")
    }

    /// Returns the Python environment of the linker of packages.
    pub(crate) fn package_tools(&self) -> PathBuf {
        self.tools().join("package/python")
    }

    /// Returns the directory of the Debian packages that the container image contains.
    pub(crate) fn image_base(&self) -> PathBuf {
        self.tools().join("package/image-base")
    }

    /// Returns the directory of private tools. It can be deleted; the next set-up restores it.
    pub(crate) fn tools(&self) -> PathBuf {
        self.target().join("tools")
    }

    /// Returns the directory of fuzzing output: programs, found inputs, results. Deleting it loses the found inputs.
    pub(crate) fn fuzz(&self) -> PathBuf {
        self.target().join("fuzz")
    }

    /// Returns the directory of flame graphs.
    pub(crate) fn profiles(&self) -> PathBuf {
        self.target().join("profiles")
    }

    /// Returns the crate of fuzz targets.
    pub(crate) fn fuzz_crate(&self) -> PathBuf {
        self.root.join("tests/fuzz")
    }

    /// Returns the crate of browser assets, which has both a Cargo.toml and a package.json.
    pub(crate) fn browser_crate(&self) -> PathBuf {
        self.root.join("crates/browser")
    }

    /// Returns the output directory of the component's npm package.
    pub(crate) fn npm_package(&self) -> PathBuf {
        self.target().join("npm")
    }

    /// Returns the output directory of the documentation site.
    pub(crate) fn docs(&self) -> PathBuf {
        self.binaries
            .parent()
            .unwrap_or(&self.binaries)
            .join("docs")
    }

    /// Returns the build directory of the browser assets, for comparing and replacing the committed ones.
    pub(crate) fn assets(&self) -> PathBuf {
        self.target().join("assets")
    }

    /// Returns the directory of page tests with their dependency list.
    pub(crate) fn page_tests(&self) -> PathBuf {
        self.root.join("tests/e2e/pages")
    }

    /// Returns the directory of the tests of webhooks with their dependency list.
    pub(crate) fn webhook_tests(&self) -> PathBuf {
        self.root.join("tests/e2e/webhooks")
    }

    /// Returns the directory of the example of a reward contract. Tests of file formats use its packages, too.
    pub(crate) fn reward_example(&self) -> PathBuf {
        self.root.join("examples/reward-claim")
    }

    /// Returns the crate of the bot corpus with its dependency lists.
    pub(crate) fn bot_corpus_crate(&self) -> PathBuf {
        self.root.join("tests/detection/bots")
    }

    /// Returns the directory of the hand-written alternatives to the service, with one subdirectory each.
    pub(crate) fn peers(&self) -> PathBuf {
        self.root.join("tests/bench/peers")
    }

    /// Returns the default directory of the recordings for detection tests.
    ///
    /// The environment can name another.
    pub(crate) fn default_corpus(&self) -> PathBuf {
        self.root.join("../shared/data")
    }

    /// Returns the path of the test runner's last report about a part. It does not depend on the target directory.
    pub(crate) fn test_record(&self, part: TestStage) -> PathBuf {
        self.root.join(format!("target/nextest/{part}/junit.xml"))
    }
}
