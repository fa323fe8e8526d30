//! Running a suite of pages in a browser.

use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use voight_tests::clone::{self, Clone};
use voight_tests::results::{TriedSources, source_digests};
use voight_tests::skip::skipped;
use voight_tests::{chromium, paths};

const SET_UP: &str = "`cargo xtask test --only setup` installs it";
const FIREFOX: &str = "/usr/bin/firefox-esr";

/// Browser that may be installed.
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

/// Runs all cases of a suite, or reports the suite as skipped.
pub(crate) fn run(suite: &str, browser: Browser) {
    let name = format!("{suite} in {}", browser.name());
    if lacks(&name, Path::new(browser.program())) || lacks(&name, &libraries()) {
        return;
    }
    let status = node_tests(
        &Clone::of_folders(&["tests/e2e/pages"]),
        "suite.test.mjs",
        &[suite, browser.name()],
    );
    assert!(
        status.success(),
        "{name}: {status}; the output of its cases is above"
    );
}

/// Runs `rows.test.mjs`, or reports it as skipped.
pub(crate) fn compare_rows() {
    if !lacks("the tables of hosts", &libraries()) {
        let status = node_tests(
            &Clone::of_folders(&["tests/e2e/pages"]),
            "rows.test.mjs",
            &[],
        );
        assert!(
            status.success(),
            "docs/reference/embedding.md: {status}; the difference is above"
        );
    }
}

/// Returns digests of the sources on which the published times of checks depend, as JSON.
fn sources() -> String {
    let packages = ["voight", "voight-browser"].map(str::to_owned).to_vec();
    let paths = vec!["tests/e2e/pages/suites/speed.mjs".to_owned()];
    let tried_sources = TriedSources {
        packages,
        paths,
        ..TriedSources::default()
    };
    serde_json::to_string(&source_digests(&tried_sources).expect("the sources"))
        .expect("digests are JSON")
}

/// Runs a file of tests under `tests/e2e/pages`.
pub(crate) fn node_tests(pages: &Clone, file: &str, arguments: &[&str]) -> ExitStatus {
    pages.node_tests(&format!("tests/e2e/pages/{file}"), arguments, |command| {
        command
            .env("CHROMIUM", chromium::PROGRAM)
            .env("FIREFOX", FIREFOX)
            .env("VOIGHT_REPOSITORY", paths::repository())
            .env("VOIGHT_SOURCES", sources())
            .env("VOIGHT_PICTURES", paths::tools().join("pages/pictures"));
    })
}

fn libraries() -> PathBuf {
    clone::libraries_of_pages().join("puppeteer-core")
}

/// Returns `true` if Chromium or its driver is missing, and prints which one.
pub(crate) fn lacks_browser(name: &str) -> bool {
    lacks(name, Path::new(chromium::PROGRAM)) || lacks(name, &libraries())
}

/// Returns `true` if `needed` does not exist, and reports the test as skipped.
fn lacks(name: &str, needed: &Path) -> bool {
    let lacks = !needed.exists();
    if lacks {
        skipped(name, &format!("{} is missing; {SET_UP}", needed.display()));
    }
    lacks
}
