//! Chromium driven by its automation protocol.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use voight_tests::{chromium, paths};

/// The robot of the demo, which works on every page that has its names.
pub(crate) const ROBOT: &str = include_str!("../../crates/app/src/demo/robot.mjs");
/// The same, writing down what the window sends.
const RECORDER: &str = include_str!("record.mjs");

/// Where the robot's browser is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Display<'a> {
    /// Nowhere.
    Headless,
    /// On this display.
    On(&'a str),
}

/// Runs the demo's robot through a page to its end, and returns what it says of the page.
pub(crate) fn run(page: &str, shown: Display<'_>) -> String {
    node(ROBOT, &[page], shown)
}

/// Runs the demo's robot through a page, and this program inside the window's frame before it presses one of the targets.
pub(crate) fn run_inside(page: &str, target: &str, inside: &str) {
    const PRESS: &str = "  await window.locator(";
    let before = format!("  if (target === '{target}') await window.evaluate(() => {{ {inside} }});\n{PRESS}");
    assert!(ROBOT.contains(PRESS), "the robot presses targets");
    node(&ROBOT.replacen(PRESS, &before, 1), &[page], Display::Headless);
}

/// Runs a robot through a page, and returns what passed between the window and the service.
pub(crate) fn record(page: &str) -> Value {
    record_rounds(page, &[""])
}

/// The same, as often as there are rounds, in one browser: each names the buttons to press where the window asks for a
/// signature, with commas between them, and is empty where it is not to ask.
pub(crate) fn record_rounds(page: &str, rounds: &[&str]) -> Value {
    let program = &[&[page], rounds].concat();
    serde_json::from_str(&node(RECORDER, program, Display::Headless)).expect("the recorder writes JSON")
}

/// The folder of the robots' library, if it is installed.
pub(crate) fn library() -> Option<PathBuf> {
    let folder = paths::tools().join("npm/node_modules");
    folder.join("playwright-core").is_dir().then_some(folder)
}

/// Runs a command of the demo's page in a folder where the robot and its library are.
pub(crate) fn in_shell(command: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    install(folder.path());
    std::fs::write(folder.path().join("robot.mjs"), ROBOT).expect("the robot is written");
    let status = Command::new("bash").args(["-c", command]).current_dir(folder.path()).env_remove("HEADED").status();
    assert!(status.expect("bash runs").success(), "{command}");
}

fn node(program: &str, arguments: &[&str], shown: Display<'_>) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    install(folder.path());
    std::fs::write(folder.path().join("program.mjs"), program).expect("the program is written");
    let mut command = Command::new("node");
    command.current_dir(folder.path()).arg("program.mjs").args(arguments).env("CHROMIUM", chromium::PROGRAM);
    command.env_remove("HEADED").stderr(Stdio::inherit());
    if let Display::On(display) = shown {
        command.env("HEADED", "1").env("DISPLAY", display);
    }
    let output = command.output().expect("node starts");
    assert!(output.status.success(), "the robot failed: {}", output.status);
    String::from_utf8(output.stdout).expect("text").trim().to_owned()
}

/// Makes the library known to programs in `folder`.
fn install(folder: &Path) {
    let library = library().expect("playwright-core is installed");
    std::os::unix::fs::symlink(library, folder.join("node_modules")).expect("a link to the library");
}
