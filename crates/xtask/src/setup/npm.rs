//! The development tools of the browser assets, from the lock file of their crate. The assets themselves need none.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use super::stamp::Stamp;
use crate::process;
use crate::say::{self, State};
use crate::workspace::Workspace;

const FILES: [&str; 2] = ["package.json", "package-lock.json"];

/// Installs the tools if they are missing or the lock file has changed. No package gets to run a script of its own.
pub(super) fn ensure(workspace: &Workspace) -> Result<()> {
    let (from, to) = (workspace.browser_crate(), workspace.tools().join("npm"));
    let files: Vec<_> = FILES.iter().map(|name| from.join(name)).collect();
    let stamp = Stamp::of(&files, &to)?;
    if stamp.is_current() {
        say::state(State::Present, "npm tools");
        return Ok(());
    }
    say::state(State::Missing, "npm tools of crates/browser/package-lock.json");
    fs::create_dir_all(&to).with_context(|| format!("cannot create {}", to.display()))?;
    for name in FILES {
        fs::copy(from.join(name), to.join(name)).with_context(|| format!("cannot copy {name} to {}", to.display()))?;
    }
    let mut command = Command::new("npm");
    command.current_dir(&to).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    process::run(&mut command)?;
    stamp.write()?;
    say::state(State::Installed, "npm tools");
    Ok(())
}
