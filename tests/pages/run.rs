//! Running a suite of pages in a browser.

use std::path::Path;
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
    for needed in [Path::new(browser.program()), &clone::libraries_of_pages().join("puppeteer-core")] {
        if !needed.exists() {
            return skipped(&name, &format!("{} is missing; {SET_UP}", needed.display()));
        }
    }
    let pages = Clone::of(&["tests/pages"]);
    let status = pages.node("tests/pages/run.mjs", &[suite, browser.name()], |command| {
        command
            .env("CHROMIUM", chromium::PROGRAM)
            .env("FIREFOX", FIREFOX)
            .env("VOIGHT_REPOSITORY", paths::repository());
    });
    assert!(status.success(), "{name}: {status}; its cases stand above");
}
