//! The helper for backends, by Node's own test runner. What it does with the service itself is a suite of pages.

use crate::Project;
use std::process::Command;
use voight_tests::{folder, paths};

const FILES: [&str; 3] = ["verdict.test.mjs", "broken.test.mjs", "offline.test.mjs"];

#[test]
fn a_backend_gets_a_verdict_or_a_named_error() {
    let Some(project) = Project::new("a_backend_gets_a_verdict_or_a_named_error") else { return };
    let tests = project.path().join("tests");
    folder::copy(&paths::repository().join("tests/package"), &tests);
    let output = Command::new("node").arg("--test").args(FILES).current_dir(&tests).output().expect("node starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
}
