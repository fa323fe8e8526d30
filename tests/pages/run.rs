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
    let library = paths::tools().join("pages/node_modules");
    for needed in [Path::new(browser.program()), &library.join("puppeteer-core")] {
        if !needed.exists() {
            return skipped(&name, &format!("{} is missing; {SET_UP}", needed.display()));
        }
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pages = folder.path().join("pages");
    copy(&paths::repository().join("tests/pages"), &pages);
    std::os::unix::fs::symlink(library, pages.join("node_modules")).expect("a link to the libraries");
    let mut command = Command::new("node");
    command.current_dir(&pages).args(["run.mjs", suite, browser.name()]).process_group(0);
    command.env("VOIGHT_BIN", paths::binary()).env("CHROMIUM", chromium::PROGRAM).env("FIREFOX", FIREFOX);
    command.env("VOIGHT_REPOSITORY", paths::repository()).env("TMPDIR", folder.path());
    command.env("VOIGHT_PICTURES", paths::tools().join("pages/pictures"));
    let mut running = Running(command.spawn().expect("node starts"));
    let status = running.0.wait().expect("node ends");
    assert!(status.success(), "{name}: {status}; its cases stand above");
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
