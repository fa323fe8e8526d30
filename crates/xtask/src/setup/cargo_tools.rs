//! Tools from crates.io. Any version that is there already is taken; a missing one is installed at the version these
//! checks were written with, where `cargo install` puts it.

use std::process::Command;

use anyhow::Result;

use crate::process;
use crate::say::{self, SetupState};
use crate::workspace::Workspace;

/// A tool and the version to install.
struct Tool {
    /// The command that succeeds if it is there; its first line is shown.
    asked: &'static [&'static str],
    package: &'static str,
    version: &'static str,
}

/// What every run of checks and tests uses.
const TOOLS: [Tool; 2] = [
    Tool { asked: &["cargo", "nextest", "--version"], package: "cargo-nextest", version: "0.9.143" },
    Tool { asked: &["cargo", "deny", "--version"], package: "cargo-deny", version: "0.20.2" },
];

/// What only `cargo xtask fuzz` uses.
const FUZZ: Tool = Tool { asked: &["cargo", "fuzz", "--version"], package: "cargo-fuzz", version: "0.13.2" };

/// What only `cargo xtask profile` uses. The licence of its library, inferno, keeps it out of our own dependencies.
const FLAMEGRAPH: Tool = Tool { asked: &["flamegraph", "--version"], package: "flamegraph", version: "0.6.15" };

/// Installs `cargo fuzz` if it is missing. Quiet if it is there.
pub(crate) fn ensure_fuzz(workspace: &Workspace) -> Result<()> {
    FUZZ.ensure_quietly(workspace)
}

/// Installs what draws flame graphs, if it is missing. Quiet if it is there.
pub(super) fn ensure_flamegraph(workspace: &Workspace) -> Result<()> {
    FLAMEGRAPH.ensure_quietly(workspace)
}

/// Installs the subcommands that are missing.
pub(super) fn ensure(workspace: &Workspace) -> Result<()> {
    TOOLS.iter().try_for_each(|tool| tool.ensure(workspace))
}

impl Tool {
    fn ensure(&self, workspace: &Workspace) -> Result<()> {
        if let Some(version) = self.present() {
            say::state(SetupState::Present, version);
            return Ok(());
        }
        self.install(workspace)
    }

    fn ensure_quietly(&self, workspace: &Workspace) -> Result<()> {
        if self.present().is_some() { Ok(()) } else { self.install(workspace) }
    }

    fn install(&self, workspace: &Workspace) -> Result<()> {
        say::state(SetupState::Missing, self.package);
        let mut command = workspace.cargo();
        command.args(["install", "--locked", self.package, "--version", self.version]);
        process::run(&mut command)?;
        say::state(SetupState::Installed, format_args!("{} {}", self.package, self.version));
        Ok(())
    }

    /// The first line of the tool's answer.
    fn present(&self) -> Option<String> {
        let (program, words) = self.asked.split_first()?;
        let text = process::output(Command::new(program).args(words))?;
        text.lines().next().map(ToOwned::to_owned)
    }
}
