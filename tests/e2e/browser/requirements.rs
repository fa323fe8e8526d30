//! Requirements of these tests on the machine.

use crate::browser::robot;
use std::path::{Path, PathBuf};
use voight_tests::skip::skipped;
use voight_tests::{chromium, person};

const SET_UP: &str = "`cargo xtask test --only setup` installs it";

/// Returns `true` if the browser, a screen and the robots' library exist; otherwise reports `name` as skipped.
pub(crate) fn needs(name: &str) -> bool {
    let programs = [
        chromium::PROGRAM,
        "/usr/bin/Xvfb",
        "/usr/bin/openbox",
        "/usr/bin/xdotool",
    ];
    if let Some(missing) = programs
        .into_iter()
        .find(|program| !Path::new(program).exists())
    {
        skipped(name, &format!("{missing} is missing; {SET_UP}"));
        return false;
    }
    if robot::library().is_none() {
        skipped(name, &format!("playwright-core is missing; {SET_UP}"));
        return false;
    }
    true
}

/// Returns the directory of recordings if all requirements are met; otherwise reports `name` as skipped.
pub(crate) fn recordings(name: &str) -> Option<PathBuf> {
    if !needs(name) {
        return None;
    }
    let corpus = person::corpus();
    if corpus.is_none() {
        skipped(
            name,
            "the recordings of people are missing; VOIGHT_CORPUS names their folder",
        );
    }
    corpus
}
