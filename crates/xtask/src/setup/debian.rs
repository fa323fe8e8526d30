//! Debian packages.

use std::process::Command;

use anyhow::{Result, bail};
use rustix::process::getuid;

use super::{NeedsRoot, node};
use crate::console::{self, SetupState};
use crate::process;
use crate::workspace::Workspace;

/// Packages of the tests. Recommended packages are not installed, to save time, so the required ones among them are listed
/// here.
const PACKAGES: [&str; 23] = [
    "chromium",           // browser under test
    "firefox-esr",        // second browser under test
    "fonts-liberation",   // Latin text of pages
    "fonts-wqy-microhei", // Chinese, Japanese and Korean
    "fonts-dejavu-core",  // Arabic
    "fontconfig",         // lists the languages of the installed fonts
    "xvfb",               // screen for a browser that is not headless
    "xauth",              // required by xvfb-run
    "xdotool",            // pointer input of the system, from outside of the browser
    "openbox",            // window manager, which gives windows the focus
    "strace",             // injects failing system calls
    "valgrind",           // counts instructions
    "e2fsprogs",          // file systems of disk faults
    "python3-venv",       // private Python environments
    "postgresql",         // database server; tests and benchmarks start private instances
    "haproxy",            // load balancer of the cluster example
    "nginx-light",        // reverse proxies of the deployment guide
    "caddy",
    "systemd",     // analyses the unit
    "curl",        // commands of its README
    "libfaketime", // changes the clock of one process
    "jq",          // JSON in commands of the guides
    "golang-go",   // SDK in Go
];

/// Packages of the bot corpus only.
const BOT_CORPUS_PACKAGES: [&str; 4] = [
    "chromium-driver", // drives Chromium by WebDriver
    "at-spi2-core",    // accessibility bus
    "dbus-daemon",     // message bus of at-spi2-core
    "curl",            // client without a browser
];

/// Packages of `cargo xtask profile` only.
const PROFILE: [&str; 1] = [
    "linux-perf", // sampling profiler
];

/// Packages of `cargo xtask package` only.
const PACKAGE_TOOLS: [&str; 1] = [
    "minisign", // signs the checksums
];

/// Packages of the full tier only: tests of packages and of the monitoring.
const FULL_TIER: [&str; 12] = [
    "binutils",          // versions of symbols
    "cpio",              // content of an RPM package
    "lintian",           // checks of Debian packages
    "minisign",          // signature of the checksums
    "mmdebstrap",        // bare systems
    "podman",            // containers
    "prometheus",        // scrapes the metrics, and evaluates dashboard and alerts
    "rpm",               // checks of RPM packages
    "runc",              // runtime of containers, for every version of control groups
    "skopeo",            // images
    "systemd-container", // boots systems
    "umoci",             // images
];

/// Packages in the container image.
const IMAGE_BASE: [&str; 2] = [
    "libc6",           // C library
    "ca-certificates", // authorities for TLS to a database
];

/// Packages of `cargo xtask bench --compare` only.
const COMPARISON_PACKAGES: [&str; 3] = [
    "postgresql",   // database of two peers
    "redis-server", // database of another peer
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
pub(super) fn ensure_bot_corpus() -> Result<()> {
    ensure_all(&BOT_CORPUS_PACKAGES)
}

/// Installs missing packages for recording profiles.
pub(super) fn ensure_profile() -> Result<()> {
    ensure_all(&PROFILE)
}

/// Installs missing packages of the full tier.
pub(super) fn ensure_full_tier() -> Result<()> {
    ensure_all(&FULL_TIER)
}

/// Installs missing tools of packages, and downloads the packages of the container image.
pub(super) fn ensure_package(workspace: &Workspace) -> Result<()> {
    ensure_all(&PACKAGE_TOOLS)?;
    let dir = workspace.image_base();
    if dir.is_dir() {
        console::state(SetupState::Present, "packages of the container image");
        return Ok(());
    }
    console::state(SetupState::Missing, "packages of the container image");
    let partial = dir.with_extension("partial");
    std::fs::create_dir_all(&partial)?;
    process::run(
        apt_get(&["download"])
            .args(IMAGE_BASE)
            .current_dir(&partial),
    )?;
    std::fs::rename(&partial, &dir)?;
    console::state(SetupState::Installed, "packages of the container image");
    Ok(())
}

fn ensure_with_node(packages: &[&'static str]) -> Result<()> {
    ensure_all(&[packages, &node::debian_packages()].concat())
}

fn ensure_all(packages: &[&'static str]) -> Result<()> {
    if process::output(Command::new("dpkg-query").arg("--version")).is_none() {
        bail!(
            "this machine has no dpkg; the set-up supports Debian 12 and later. On another system, install the equivalents \
             of {} and run the other parts with --only",
            packages.join(" ")
        );
    }
    let missing: Vec<_> = packages
        .iter()
        .copied()
        .filter(|package| !is_installed(package))
        .collect();
    for package in packages {
        let state = if missing.contains(package) {
            SetupState::Missing
        } else {
            SetupState::Present
        };
        console::state(state, package);
    }
    if missing.is_empty() {
        Ok(())
    } else {
        install(&missing)
    }
}

fn install(missing: &[&str]) -> Result<()> {
    if !getuid().is_root() {
        return Err(NeedsRoot {
            command: shell_command(missing),
        }
        .into());
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
    command
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive");
    command
}

/// Returns the installation as one shell command for an administrator.
fn shell_command(missing: &[&str]) -> String {
    format!(
        "apt-get update && apt-get {} {}",
        INSTALL.join(" "),
        missing.join(" ")
    )
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
    fn an_unknown_package_is_not_installed() {
        assert!(!is_installed("there-is-no-such-package"));
    }
}
