//! Cargo subcommands. Any version that is there already is taken; a missing one is installed at the version these
//! checks were written with, where `cargo install` puts it.

use std::process::Command;

use anyhow::Result;

use crate::process;
use crate::say::{self, State};
use crate::workspace::Workspace;

/// A cargo subcommand and the version to install.
struct Tool {
    subcommand: &'static str,
    package: &'static str,
    version: &'static str,
}

/// What every run of checks and tests uses.
const TOOLS: [Tool; 2] = [
    Tool { subcommand: "nextest", package: "cargo-nextest", version: "0.9.143" },
    Tool { subcommand: "deny", package: "cargo-deny", version: "0.20.2" },
];

/// What only `cargo xtask fuzz` uses.
const FUZZ: Tool = Tool { subcommand: "fuzz", package: "cargo-fuzz", version: "0.13.2" };

/// Installs `cargo fuzz` if it is missing. Quiet if it is there.
pub(crate) fn ensure_fuzz(workspace: &Workspace) -> Result<()> {
    if FUZZ.present().is_some() { Ok(()) } else { FUZZ.install(workspace) }
}

/// Installs the subcommands that are missing.
pub(super) fn ensure(workspace: &Workspace) -> Result<()> {
    TOOLS.iter().try_for_each(|tool| tool.ensure(workspace))
}

impl Tool {
    fn ensure(&self, workspace: &Workspace) -> Result<()> {
        if let Some(version) = self.present() {
            say::state(State::Present, version);
            return Ok(());
        }
        self.install(workspace)
    }

    fn install(&self, workspace: &Workspace) -> Result<()> {
        say::state(State::Missing, self.package);
        let mut command = workspace.cargo();
        command.args(["install", "--locked", self.package, "--version", self.version]);
        process::run(&mut command)?;
        say::state(State::Installed, format_args!("{} {}", self.package, self.version));
        Ok(())
    }

    /// The tool's own first line on its version.
    fn present(&self) -> Option<String> {
        let text = process::output(Command::new("cargo").args([self.subcommand, "--version"]))?;
        text.lines().next().map(ToOwned::to_owned)
    }
}
