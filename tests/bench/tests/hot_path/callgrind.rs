//! Instruction counts by valgrind's callgrind.

use crate::program::{HotPath, first_line};
use std::process::{Command, Stdio};

/// Callgrind option that counts only inside the program's measured function.
const MEASURED: &str = "--toggle-collect=voight_hot_path::measure::measured*";

/// Returns the version of valgrind, if it is installed.
pub(crate) fn version() -> Option<String> {
    first_line(Command::new("valgrind").arg("--version"))
}

/// Returns the number of instructions of all measured lookups.
pub(crate) fn instructions(hot_path: &HotPath) -> u64 {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = dir.path().join("callgrind.out");
    let mut run = Command::new("valgrind");
    run.args(["--quiet", "--tool=callgrind", MEASURED]).arg(format!("--callgrind-out-file={}", file.display()));
    let status = run.arg(&hot_path.binary).stdout(Stdio::null()).status().expect("valgrind can be started");
    assert!(status.success(), "callgrind failed; its output is above");
    let counted = total(&std::fs::read_to_string(file).expect("callgrind leaves a file"));
    counted.filter(|count| *count > 0).expect("callgrind has counted the measured function")
}

/// Parses the total at the end of callgrind's output file.
fn total(file: &str) -> Option<u64> {
    file.lines().rev().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()
}

#[test]
fn the_total_is_parsed() {
    assert_eq!(total("summary: 5\n\nfn=(1) main\n3 2\n\ntotals: 12345\n"), Some(12_345));
    assert_eq!(total("fn=(1) main\n3 2\n"), None);
}
