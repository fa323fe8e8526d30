//! Running a suite of pages in a browser.

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use voight_tests::skip::skipped;
use voight_tests::{chromium, paths};

const SET_UP: &str = "`cargo xtask test --only setup` installs it";
const FIREFOX: &str = "/usr/bin/firefox-esr";

/// A browser that is here or not.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Browser {
    Chromium,
    Firefox,
}

impl Browser {
    fn name(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox",
        }
    }

    fn program(self) -> &'static str {
        match self {
            Self::Chromium => chromium::PROGRAM,
            Self::Firefox => FIREFOX,
        }
    }
}

/// Runs all cases of a suite, or says by name that it is skipped and why.
pub(crate) fn run(suite: &str, browser: Browser) {
    let name = format!("{suite} in {}", browser.name());
    let program = Path::new(browser.program());
    if !program.exists() {
        return missing(&name, program);
    }
    let Some(pages) = Pages::prepare(&name) else { return };
    let mut command = pages.node(&["run.mjs", suite, browser.name()]);
    command.env("CHROMIUM", chromium::PROGRAM).env("FIREFOX", FIREFOX).process_group(0);
    let mut running = Running(command.spawn().expect("node starts"));
    let status = running.0.wait().expect("node ends");
    assert!(status.success(), "{name}: {status}; its cases stand above");
}

/// The titles of all cases of these suites, in their order; none, with a word about it, if they cannot be read here.
pub(crate) fn titles(suites: &[&str]) -> Option<Vec<String>> {
    let pages = Pages::prepare("the titles of cases")?;
    let output = pages.node(&[&["titles.mjs"], suites].concat()).output().expect("node runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect())
}

fn missing(name: &str, what: &Path) {
    skipped(name, &format!("{} is missing; {SET_UP}", what.display()));
}

/// A copy of the programs beside a link to their libraries.
struct Pages {
    folder: tempfile::TempDir,
}

impl Pages {
    fn prepare(name: &str) -> Option<Self> {
        let library = paths::tools().join("pages/node_modules");
        let needed = library.join("puppeteer-core");
        if !needed.exists() {
            missing(name, &needed);
            return None;
        }
        let pages = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        copy(&paths::repository().join("tests/pages"), &pages.path());
        std::os::unix::fs::symlink(library, pages.path().join("node_modules")).expect("a link to the libraries");
        Some(pages)
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("pages")
    }

    fn node(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("node");
        command.current_dir(self.path()).args(arguments).env("VOIGHT_BIN", paths::binary());
        command.env("VOIGHT_REPOSITORY", paths::repository()).env("TMPDIR", self.folder.path());
        command
    }
}

/// The programs' own imports are looked for beside them, so they run as a copy beside a link to the libraries.
fn copy(from: &Path, to: &PathBuf) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("the folder of pages").map(|entry| entry.expect("an entry")) {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy(&source, &target);
        } else {
            std::fs::copy(&source, &target).expect("a copy");
        }
    }
}

/// Whatever the program has started ends with it, however it ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(std::process::Stdio::null()).status();
        let _ = self.0.wait();
    }
}
