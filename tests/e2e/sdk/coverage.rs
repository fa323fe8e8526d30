//! Branches of the SDKs that the vectors execute.

use super::install::{go, javascript, python, rust};
use super::is_missing;
use super::runner::Runner;
use super::vectors::Vectors;
use serde_json::Value;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use voight_tests::command::must_succeed;
use voight_tests::skip::skipped;
use voight_tests::test_name;
use voight_tests::tier::is_full_or_skipped;

/// Branches of an SDK.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Branches {
    covered: u64,
    total: u64,
}

impl Branches {
    /// Counts branches by whether each was executed.
    fn count(executed: impl Iterator<Item = bool>) -> Self {
        executed.fold(
            Self {
                covered: 0,
                total: 0,
            },
            |sum, executed| Self {
                covered: sum.covered + u64::from(executed),
                total: sum.total + 1,
            },
        )
    }

    /// Prints the figures and requires 95 percent.
    fn require(self, sdk: &str) {
        let Self { covered, total } = self;
        let _ = writeln!(
            io::stderr(),
            "{sdk}: {covered} of {total} branches are executed"
        );
        assert!(total > 100, "{sdk}: {total} branches were found");
        assert!(
            covered * 100 >= total * 95,
            "{sdk}: {covered} of {total} branches are executed, less than 95 %"
        );
    }
}

/// Runs the vectors by each runner, whose commands `instrument` changes.
fn run(runners: Vec<Runner>, instrument: impl Fn(Command) -> Command + Clone + 'static) {
    let vectors = Vectors::read();
    for Runner { name, command } in runners {
        let instrument = instrument.clone();
        Runner {
            name,
            command: Box::new(move || instrument(command())),
        }
        .run_cases(&vectors);
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn number(value: &Value, pointer: &str) -> u64 {
    value
        .pointer(pointer)
        .and_then(Value::as_u64)
        .unwrap_or_else(|| panic!("no number {pointer} in {value}"))
}

/// V8 counts blocks: each range of a function is one.
#[test]
fn vectors_cover_the_helper_in_javascript() {
    let name = test_name!();
    if !is_full_or_skipped(name) {
        return;
    }
    if let Some(missing) = voight_tests::npm::missing() {
        return skipped(name, &missing);
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let coverage_dir = folder.path().join("coverage");
    let directory = coverage_dir.clone();
    run(javascript(folder.path()).runners, move |mut command| {
        command.env("NODE_V8_COVERAGE", &directory);
        command
    });
    let [file] = &files_of(&coverage_dir)[..] else {
        panic!("one process writes one file")
    };
    let report = json(&fs::read_to_string(file).expect("a report"));
    let scripts = report["result"].as_array().expect("a list of scripts");
    let is_helper = |script: &&Value| {
        script["url"]
            .as_str()
            .is_some_and(|url| url.contains("/@voight/check/"))
    };
    let functions = scripts
        .iter()
        .filter(is_helper)
        .filter_map(|script| script["functions"].as_array())
        .flatten();
    let ranges = functions
        .filter_map(|function| function["ranges"].as_array())
        .flatten();
    Branches::count(ranges.map(|range| number(range, "/count") > 0)).require("JavaScript");
}

#[test]
fn vectors_cover_the_clients_in_python() {
    let name = test_name!();
    let tools = python::tools();
    if !is_full_or_skipped(name) || is_missing(name, &[&tools]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = folder.path().join("coverage");
    let data_file = format!("--data-file={}", data.display());
    let in_command = data_file.clone();
    run(
        python::install(folder.path(), &tools).runners,
        move |command| {
            let mut coverage_command = Command::new(command.get_program());
            coverage_command.args([
                "-m",
                "coverage",
                "run",
                "--branch",
                "--append",
                "--source=voight",
                &in_command,
            ]);
            coverage_command.args(command.get_args());
            coverage_command
        },
    );
    let report = folder.path().join("coverage.json");
    let mut export = Command::new(folder.path().join("venv/bin/python"));
    must_succeed(
        export
            .args(["-m", "coverage", "json", "--quiet", &data_file, "-o"])
            .arg(&report),
    );
    let report = json(&fs::read_to_string(report).expect("a report"));
    let [covered, total] =
        ["covered", "num"].map(|kind| number(&report, &format!("/totals/{kind}_branches")));
    Branches { covered, total }.require("Python");
}

/// Go counts blocks: the statements between two branches.
#[test]
fn vectors_cover_the_client_in_go() {
    let name = test_name!();
    if !is_full_or_skipped(name) || is_missing(name, &[Path::new(go::PROGRAM)]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let profile = folder.path().join("profile");
    let argument = format!("-test.coverprofile={}", profile.display());
    run(
        vec![go::runner_with_coverage(folder.path())],
        move |mut command| {
            command.arg(&argument);
            command
        },
    );
    let profile = fs::read_to_string(profile).expect("a profile");
    let blocks = profile
        .lines()
        .skip(1)
        .map(|line| line.rsplit_once(' ').expect("a count at the end").1 != "0");
    Branches::count(blocks).require("Go");
}

#[test]
fn vectors_cover_the_client_in_rust() {
    let name = test_name!();
    if !is_full_or_skipped(name) {
        return;
    }
    let [profdata, cov] = ["llvm-profdata", "llvm-cov"].map(llvm_tool);
    if [&profdata, &cov].iter().any(|tool| !tool.exists()) {
        return skipped(
            name,
            "a tool is missing; `rustup component add llvm-tools` installs it, or the package llvm-VERSION",
        );
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let profiles = folder.path().join("profiles");
    let pattern = profiles.join("%p.profraw");
    let (runner, program, sources) = rust::runner_with_coverage(folder.path());
    run(vec![runner], move |mut command| {
        command.env("LLVM_PROFILE_FILE", &pattern);
        command
    });
    let merged_dir = folder.path().join("merged");
    must_succeed(
        Command::new(profdata)
            .args(["merge", "--sparse", "-o"])
            .arg(&merged_dir)
            .args(files_of(&profiles)),
    );
    let mut export = Command::new(cov);
    export
        .args(["export", "--summary-only", "--instr-profile"])
        .arg(&merged_dir)
        .arg(program)
        .arg("--sources")
        .arg(sources);
    let report = json(&must_succeed(&mut export));
    let [covered, total] = ["covered", "count"]
        .map(|kind| number(&report, &format!("/data/0/totals/branches/{kind}")));
    Branches { covered, total }.require("Rust");
}

/// Returns the path of a tool of the compiler's LLVM.
///
/// The tool comes from the component `llvm-tools`, or else from the distribution's package of the
/// same major version.
fn llvm_tool(name: &str) -> PathBuf {
    let rustc = |arguments: &[&str]| must_succeed(Command::new("rustc").args(arguments));
    let version = rustc(&["--version", "--verbose"]);
    let field = |label: &str| {
        version
            .lines()
            .find_map(|line| line.strip_prefix(label))
            .expect("a field of the version")
    };
    let component = Path::new(rustc(&["--print", "sysroot"]).trim())
        .join("lib/rustlib")
        .join(field("host: "))
        .join("bin")
        .join(name);
    if component.exists() {
        return component;
    }
    let major = field("LLVM version: ").split('.').next();
    Path::new("/usr/bin").join(format!("{name}-{}", major.unwrap_or_default()))
}

fn files_of(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries
        .map(|entry| entry.expect("an entry").path())
        .collect()
}
