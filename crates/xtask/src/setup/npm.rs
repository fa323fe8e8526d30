//! Tools from npm, by the lock files of the crates that use them. Building the binary requires none.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::stamp::InstallStamp;
use crate::console::{self, SetupState};
use crate::process;
use crate::workspace::Workspace;

const FILES: [&str; 2] = ["package.json", "package-lock.json"];

/// Installs the development tools of the browser assets, and the dependencies of page tests, of tests of webhooks, and of the example
/// of a reward contract.
pub(super) fn ensure(workspace: &Workspace) -> Result<()> {
    ensure_browser_tools(workspace)?;
    install(&workspace.page_tests(), &workspace.tools().join("pages"))?;
    install(
        &workspace.webhook_tests(),
        &workspace.tools().join("webhooks"),
    )?;
    install(
        &workspace.reward_example(),
        &workspace.tools().join("reward-claim"),
    )
}

/// Installs only the development tools of the browser assets.
pub(super) fn ensure_browser_tools(workspace: &Workspace) -> Result<()> {
    install(&workspace.browser_crate(), &workspace.tools().join("npm"))
}

/// Installs the dependencies of the bot corpus.
pub(super) fn ensure_bot_corpus(workspace: &Workspace) -> Result<()> {
    install(
        &workspace.bot_corpus_crate(),
        &workspace.tools().join("bot-corpus/npm"),
    )
}

/// Installs the dependencies of the peer on Node.js.
pub(super) fn ensure_peers(workspace: &Workspace) -> Result<()> {
    install(
        &workspace.peers().join("express"),
        &workspace.tools().join("peers/express"),
    )
}

/// Installs a crate's packages if they are missing or the lock file has changed. Installation scripts of packages are not run.
fn install(from: &Path, to: &Path) -> Result<()> {
    let files: Vec<_> = FILES.iter().map(|name| from.join(name)).collect();
    let stamp = InstallStamp::compute(&files, to)?;
    let name = format!(
        "npm tools of {}",
        from.file_name().unwrap_or_default().display()
    );
    if stamp.is_current() {
        console::state(SetupState::Present, name);
        return Ok(());
    }
    console::state(SetupState::Missing, &name);
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    for name in FILES {
        fs::copy(from.join(name), to.join(name))
            .with_context(|| format!("cannot copy {name} to {}", to.display()))?;
    }
    let mut command = Command::new("npm");
    command.current_dir(to).args([
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ]);
    // The lock file assigns peer dependencies to several versions of one library, which strict resolution would reject.
    command.arg("--legacy-peer-deps");
    process::run(&mut command)?;
    stamp.write()?;
    console::state(SetupState::Installed, name);
    Ok(())
}
