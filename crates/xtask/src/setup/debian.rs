//! Debian packages.

use std::process::Command;

use anyhow::{Result, bail};
use rustix::process::getuid;

use super::{NeedsRoot, node};
use crate::console::{self, SetupState};
use crate::process;

/// Packages of the tests. Recommended packages are not installed, to save time, so the required ones among them are listed
/// here.
const PACKAGES: [&str; 19] = [
    "chromium",           // the browser under test
    "firefox-esr",        // the other one
    "fonts-liberation",   // without a font, pages have no text to measure or to look at
    "fonts-wqy-microhei", // Chinese, Japanese and Korean
    "fonts-dejavu-core",  // Arabic
    "fontconfig",         // says which languages there are fonts for
    "xvfb",               // a screen for a browser that is not headless
    "xauth",              // what xvfb-run needs to lock that screen
    "xdotool",            // moves and clicks the pointer as a person's hand would: from outside of the browser
    "openbox",            // a window manager, without which windows have no focus
    "strace",             // fails chosen system calls
    "valgrind",           // counts instructions
    "e2fsprogs",          // file systems to fill up and to cut off
    "python3-venv",       // private Python environments
    "postgresql",         // a database server, of which tests and benchmarks start private ones
    "haproxy",            // the balancer of the cluster among the examples
    "curl",               // what its README asks with
    "libfaketime",        // another time for one process
    "jq",                 // reads JSON in commands of the guides
];

/// Packages of the bot corpus only.
const BOT_CORPUS_PACKAGES: [&str; 4] = [
    "chromium-driver", // drives Chromium by WebDriver
    "at-spi2-core",    // the accessibility bus
    "dbus-daemon",     // the bus that it is found by
    "curl",            // sends requests by itself
];

/// Packages of `cargo xtask profile` only.
const PROFILE: [&str; 1] = [
    "linux-perf", // looks many times a second what a program is doing
];

/// Packages of `cargo xtask bench --peers` only.
const COMPARISON_PACKAGES: [&str; 3] = [
    "postgresql",   // the database of two peers
    "redis-server", // that of another
    "python3-venv", // private Python environments
];

/// Installs missing packages of the tests.
pub(super) fn ensure() -> Result<()> {
    ensure_with_node(&PACKAGES)
}

/// Installs missing languages and databases of the peers.
pub(super) fn ensure_peers() -> Result<()> {
    ensure_with_node(&COMPARISON_PACKAGES)
}

/// Installs missing packages of the bot corpus.
pub(super) fn ensure_zoo() -> Result<()> {
    ensure_all(&BOT_CORPUS_PACKAGES)
}

/// Installs missing packages for recording profiles.
pub(super) fn ensure_profile() -> Result<()> {
    ensure_all(&PROFILE)
}

fn ensure_with_node(wanted: &[&'static str]) -> Result<()> {
    ensure_all(&[wanted, &node::debian_packages()].concat())
}

fn ensure_all(wanted: &[&'static str]) -> Result<()> {
    if process::output(Command::new("dpkg-query").arg("--version")).is_none() {
        bail!(
            "this machine has no dpkg; the set-up knows Debian 12 and later. Elsewhere, install what corresponds to \
             {} and run the other parts with --only",
            wanted.join(" ")
        );
    }
    let missing: Vec<_> = wanted.iter().copied().filter(|package| !is_installed(package)).collect();
    for package in wanted {
        let state = if missing.contains(package) { SetupState::Missing } else { SetupState::Present };
        console::state(state, package);
    }
    if missing.is_empty() { Ok(()) } else { install(&missing) }
}

fn install(missing: &[&str]) -> Result<()> {
    if !getuid().is_root() {
        return Err(NeedsRoot { command: shell_command(missing) }.into());
    }
    process::run(&mut apt_get(&["update"]))?;
    process::run(apt_get(&INSTALL).args(missing))?;
    for package in missing {
        console::state(SetupState::Installed, package);
    }
    Ok(())
}

const INSTALL: [&str; 3] = ["install", "--yes", "--no-install-recommends"];

fn apt_get(arguments: &[&str]) -> Command {
    let mut command = Command::new("apt-get");
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    command
}

/// Returns the installation as one shell command for an administrator.
fn shell_command(missing: &[&str]) -> String {
    format!("apt-get update && apt-get {} {}", INSTALL.join(" "), missing.join(" "))
}

fn is_installed(package: &str) -> bool {
    let mut query = Command::new("dpkg-query");
    query.args(["--show", "--showformat", "${db:Status-Status}", package]);
    process::output(&mut query).is_some_and(|status| status == "installed")
}

#[cfg(test)]
mod tests {
    use super::{is_installed, shell_command};

    #[test]
    fn the_command_for_root_is_complete() {
        assert_eq!(
            shell_command(&["xvfb", "strace"]),
            "apt-get update && apt-get install --yes --no-install-recommends xvfb strace"
        );
    }

    #[test]
    fn a_package_that_does_not_exist_is_not_installed() {
        assert!(!is_installed("there-is-no-such-package"));
    }
}
