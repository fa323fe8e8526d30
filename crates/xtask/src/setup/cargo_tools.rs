//! Tools from crates.io. Any installed version is accepted; a missing tool is installed by `cargo install` in the version with
//! which these checks were written.

use std::process::Command;

use anyhow::Result;

use crate::console::{self, SetupState};
use crate::process;
use crate::workspace::Workspace;

/// Tool with the version to install.
struct Tool {
    /// Command that succeeds if the tool is installed; its first line of output is shown.
    version_command: &'static [&'static str],
    package: &'static str,
    version: &'static str,
}

/// Test runner.
const NEXTEST: Tool = Tool {
    version_command: &["cargo", "nextest", "--version"],
    package: "cargo-nextest",
    version: "0.9.143",
};

/// Tool that checks dependencies, for the full tier and releases. Compiling it takes minutes.
const DENY: Tool = Tool {
    version_command: &["cargo", "deny", "--version"],
    package: "cargo-deny",
    version: "0.20.2",
};

/// Tool of `cargo xtask fuzz` only.
const FUZZ: Tool = Tool {
    version_command: &["cargo", "fuzz", "--version"],
    package: "cargo-fuzz",
    version: "0.13.2",
};

/// Tool of `cargo xtask profile` only. Its licence excludes it from the dependencies of the workspace.
const INFERNO: Tool = Tool {
    version_command: &["inferno-flamegraph", "--help"],
    package: "inferno",
    version: "0.12.8",
};

/// Tools of `cargo xtask package` only.
const PACKAGE: [Tool; 4] = [
    Tool {
        version_command: &["cargo", "zigbuild", "--help"],
        package: "cargo-zigbuild",
        version: "0.24.0",
    },
    Tool {
        version_command: &["cargo", "auditable", "--version"],
        package: "cargo-auditable",
        version: "0.7.7",
    },
    Tool {
        version_command: &["cargo", "deb", "--version"],
        package: "cargo-deb",
        version: "3.8.0",
    },
    Tool {
        version_command: &["cargo", "generate-rpm", "--version"],
        package: "cargo-generate-rpm",
        version: "0.21.1",
    },
];

/// Installs `cargo fuzz` if it is missing. Prints nothing otherwise.
pub(crate) fn ensure_fuzz(workspace: &Workspace) -> Result<()> {
    FUZZ.ensure_quietly(workspace)
}

/// Installs the missing tools of packages.
pub(super) fn ensure_package(workspace: &Workspace) -> Result<()> {
    PACKAGE
        .iter()
        .try_for_each(|tool| tool.ensure_quietly(workspace))
}

/// Installs the flame graph tool if it is missing. Prints nothing otherwise.
pub(super) fn ensure_flamegraph(workspace: &Workspace) -> Result<()> {
    INFERNO.ensure_quietly(workspace)
}

/// Installs the test runner if it is missing, and in the full tier the tool that checks dependencies.
pub(super) fn ensure(workspace: &Workspace) -> Result<()> {
    NEXTEST.ensure(workspace)?;
    if workspace.is_full_tier() {
        DENY.ensure(workspace)?;
    }
    Ok(())
}

/// Installs the tool that checks dependencies if it is missing. Prints nothing otherwise.
pub(crate) fn ensure_deny(workspace: &Workspace) -> Result<()> {
    DENY.ensure_quietly(workspace)
}

impl Tool {
    fn ensure(&self, workspace: &Workspace) -> Result<()> {
        if let Some(version) = self.present() {
            console::state(SetupState::Present, version);
            return Ok(());
        }
        self.install(workspace)
    }

    fn ensure_quietly(&self, workspace: &Workspace) -> Result<()> {
        if self.present().is_some() {
            Ok(())
        } else {
            self.install(workspace)
        }
    }

    fn install(&self, workspace: &Workspace) -> Result<()> {
        console::state(SetupState::Missing, self.package);
        let mut command = workspace.cargo();
        // A build with optimisation takes longer than it saves in all runs on a new machine.
        command.args([
            "install",
            "--locked",
            "--debug",
            self.package,
            "--version",
            self.version,
        ]);
        process::run(&mut command)?;
        console::state(
            SetupState::Installed,
            format_args!("{} {}", self.package, self.version),
        );
        Ok(())
    }

    /// Returns the first line of the tool's output, if it is installed.
    fn present(&self) -> Option<String> {
        let (program, words) = self.version_command.split_first()?;
        let text = process::output(Command::new(program).args(words))?;
        text.lines().next().map(ToOwned::to_owned)
    }
}
