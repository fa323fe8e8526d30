//! Chromium driven by its automation protocol.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use voight_tests::{chromium, paths};

/// Robot of the demo, which works on every page with its element names.
pub(crate) const ROBOT: &str = include_str!("../../../crates/app/src/demo/robot.mjs");
/// Robot that also records the requests of the window.
const RECORDER: &str = include_str!("record.mjs");
/// Robot that claims with several wallets on the page of the tutorial.
const CLAIMANT: &str = include_str!("claims.mjs");

/// Display of the robot's browser.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Display<'a> {
    /// No display.
    Headless,
    /// This display.
    On(&'a str),
}

/// Runs the demo's robot through a page to its end, and returns its report.
pub(crate) fn run(page: &str, display: Display<'_>) -> String {
    node(ROBOT, &[page], display)
}

/// Runs the demo's robot through a page, and `inside` in the window's frame before the press of `target`.
pub(crate) fn run_inside(page: &str, target: &str, inside: &str) {
    const PRESS: &str = "  await window.locator(";
    let steps = format!(
        "  if (target === '{target}') await window.evaluate(() => {{ {inside} }});\n{PRESS}"
    );
    assert!(ROBOT.contains(PRESS), "the robot presses targets");
    node(
        &ROBOT.replacen(PRESS, &steps, 1),
        &[page],
        Display::Headless,
    );
}

/// Runs a robot through a page, and returns the requests and responses of the window.
pub(crate) fn record(page: &str) -> Value {
    record_rounds(page, &[""])
}

/// Runs a robot through several rounds of a page, in one browser.
///
/// Each round lists the buttons to press where the window asks for a signature, separated by commas; an empty round expects no
/// such request.
pub(crate) fn record_rounds(page: &str, rounds: &[&str]) -> Value {
    let program = &[&[page], rounds].concat();
    serde_json::from_str(&node(RECORDER, program, Display::Headless))
        .expect("the recorder writes JSON")
}

/// Claims on the page of the tutorial with each of the wallets, and returns what the page shows after each claim.
pub(crate) fn claim_with(page: &str, wallets: &[&str]) -> Vec<String> {
    let program = [&[page], wallets].concat();
    serde_json::from_str(&node(CLAIMANT, &program, Display::Headless))
        .expect("the robot writes JSON")
}

/// Returns the directory of the robots' library, if it is installed.
pub(crate) fn library() -> Option<PathBuf> {
    let folder = paths::tools().join("npm/node_modules");
    folder.join("playwright-core").is_dir().then_some(folder)
}

/// Runs a command of the demo's page in a directory with the robot and its library.
pub(crate) fn in_shell(command: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    install(folder.path());
    std::fs::write(folder.path().join("robot.mjs"), ROBOT).expect("the robot is written");
    let status = Command::new("bash")
        .args(["-c", command])
        .current_dir(folder.path())
        .env_remove("HEADED")
        .status();
    assert!(status.expect("bash runs").success(), "{command}");
}

fn node(program: &str, arguments: &[&str], on_display: Display<'_>) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    install(folder.path());
    std::fs::write(folder.path().join("program.mjs"), program).expect("the program is written");
    let mut command = Command::new("node");
    command
        .current_dir(folder.path())
        .arg("program.mjs")
        .args(arguments)
        .env("CHROMIUM", chromium::PROGRAM);
    command.env_remove("HEADED").stderr(Stdio::inherit());
    if let Display::On(display) = on_display {
        command.env("HEADED", "1").env("DISPLAY", display);
    }
    let output = command.output().expect("node starts");
    assert!(
        output.status.success(),
        "the robot failed: {}",
        output.status
    );
    String::from_utf8(output.stdout)
        .expect("text")
        .trim()
        .to_owned()
}

/// Links the library for programs in `folder`.
fn install(folder: &Path) {
    let library = library().expect("playwright-core is installed");
    std::os::unix::fs::symlink(library, folder.join("node_modules"))
        .expect("a link to the library");
}
