//! Running a suite of pages in a browser.

use std::fs::File;
use std::path::{Path, PathBuf};
use voight_tests::clone::{self, Clone};
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
    if lacks(&name, Path::new(browser.program())) || lacks(&name, &libraries()) {
        return;
    }
    let pages = Clone::of_folders(&["tests/pages"]);
    let status = pages.node("tests/pages/run.mjs", &[suite, browser.name()], |command| {
        command
            .env("CHROMIUM", chromium::PROGRAM)
            .env("FIREFOX", FIREFOX)
            .env("VOIGHT_REPOSITORY", paths::repository())
            .env("VOIGHT_PICTURES", paths::tools().join("pages/pictures"));
    });
    assert!(status.success(), "{name}: {status}; its cases stand above");
}

/// The titles of all cases of these suites, in their order; none, with a word about it, if they cannot be read here.
pub(crate) fn titles(suites: &[&str]) -> Option<Vec<String>> {
    if lacks("the titles of cases", &libraries()) {
        return None;
    }
    let pages = Clone::of_folders(&["tests/pages"]);
    let list = pages.path().join("titles");
    let status = pages.node("tests/pages/titles.mjs", suites, |command| {
        command.stdout(File::create(&list).expect("a file"));
    });
    assert!(status.success(), "the titles of cases: {status}");
    let titles = std::fs::read_to_string(list).expect("the titles");
    Some(titles.lines().map(str::to_owned).collect())
}

fn libraries() -> PathBuf {
    clone::libraries_of_pages().join("puppeteer-core")
}

/// Whether something that a test needs is missing here, which is said.
fn lacks(name: &str, needed: &Path) -> bool {
    let lacks = !needed.exists();
    if lacks {
        skipped(name, &format!("{} is missing; {SET_UP}", needed.display()));
    }
    lacks
}
