//! `cargo xtask test --loop`: the time from a change of a source file to the result of its tests.

use std::fs::File;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};

use crate::stopwatch::timed;
use crate::workspace::Workspace;
use crate::{console, process};

/// A change that developers often make, and the tests that they run after it.
struct EditLoop {
    name: &'static str,
    /// Changed file.
    file: &'static str,
    /// Arguments of `cargo nextest run`.
    tests: &'static [&'static str],
    limit: Duration,
}

const LOOPS: [EditLoop; 2] = [
    EditLoop {
        name: "rule of the domain",
        file: "crates/domain/src/metering/decide.rs",
        tests: &["-p", "voight-domain", "-E", "test(/^metering::/)"],
        limit: Duration::from_secs(10),
    },
    EditLoop {
        name: "HTTP handler",
        file: "crates/http/src/window/open.rs",
        tests: &["-p", "voight-http", "-E", "test(/window/)"],
        limit: Duration::from_secs(40),
    },
];

/// Builds the tests of each loop, changes the modification time of its file, and measures build and tests.
///
/// Fails if a test fails or a loop is over its limit.
pub(crate) fn run() -> Result<ExitCode> {
    let workspace = Workspace::locate()?;
    let mut table = vec![format!(
        "{:<20} {:>7} {:>7}   {}",
        "edit loop", "took", "limit", "changed file"
    )];
    let mut all_within_limit = true;
    for EditLoop {
        name,
        file,
        tests,
        limit,
    } in LOOPS
    {
        let run_tests = || process::run(workspace.cargo().args(["nextest", "run"]).args(tests));
        run_tests()?;
        let path = workspace.root().join(file);
        #[expect(
            clippy::disallowed_methods,
            reason = "cargo compares modification times with the system clock"
        )]
        let now = SystemTime::now();
        File::options()
            .append(true)
            .open(&path)
            .and_then(|file| file.set_modified(now))
            .context(file)?;
        let (result, took) = timed(run_tests);
        result?;
        all_within_limit &= took <= limit;
        let [took, limit] = [took, limit].map(|time| format!("{:.1} s", time.as_secs_f64()));
        table.push(format!("{name:<20} {took:>7} {limit:>7}   {file}"));
    }
    console::heading("edit loops");
    table.into_iter().for_each(console::line);
    Ok(if all_within_limit {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
