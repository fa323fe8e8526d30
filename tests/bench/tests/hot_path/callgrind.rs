//! Counts of every thread by valgrind's callgrind.

use crate::program::{HotPath, first_line};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::process::{Command, Stdio};

/// Numbers of lookups of each connection in two runs, whose difference leaves out start and end of the program.
const RUNS: [u32; 2] = [100, 500];
/// Threads with a function that only they run. Both databases of a store have a writer and a checkpointer.
const THREADS: [(&str, &str); 3] = [
    ("http", "hot_path::measure::measured"),
    ("writer", "GroupCommit"),
    ("checkpointer", "Checkpointer"),
];

/// Name of all other threads.
const OTHER: &str = "other";

/// Counts of one thread over all measured lookups.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) instructions: u64,
    pub(crate) allocations: u64,
}

/// Returns the version of valgrind, if it is installed.
pub(crate) fn version() -> Option<String> {
    first_line(Command::new("valgrind").arg("--version"))
}

/// Runs the program twice; returns the number of lookups by which the runs differ, and the counts of these by thread.
pub(crate) fn count(hot_path: &HotPath) -> (u32, BTreeMap<&'static str, Counts>) {
    let [(before, short), (after, long)] = RUNS.map(|lookups| run(hot_path, lookups));
    let difference = |(thread, counts): (&'static str, Counts)| {
        let start = short.get(thread).copied().unwrap_or_default();
        let instructions = counts.instructions.saturating_sub(start.instructions);
        (
            thread,
            Counts {
                instructions,
                allocations: counts.allocations.saturating_sub(start.allocations),
            },
        )
    };
    (after - before, long.into_iter().map(difference).collect())
}

/// Runs the program with this number of lookups of each connection; returns the number of all, and the counts by thread.
fn run(hot_path: &HotPath, lookups: u32) -> (u32, BTreeMap<&'static str, Counts>) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut command = Command::new("valgrind");
    command
        .args(["--quiet", "--tool=callgrind", "--separate-threads=yes"])
        .arg(format!(
            "--callgrind-out-file={}",
            dir.path().join("out").display()
        ));
    let output = command
        .arg(&hot_path.binary)
        .arg(lookups.to_string())
        .stderr(Stdio::inherit())
        .output();
    let output = output.expect("valgrind can be started");
    assert!(
        output.status.success(),
        "callgrind failed; its output is above"
    );
    // Not every run has a thread that runs none of these functions.
    let mut threads = BTreeMap::from([(OTHER, Counts::default())]);
    for entry in fs::read_dir(dir.path()).expect("callgrind leaves files") {
        let text = fs::read(entry.expect("callgrind leaves files").path())
            .expect("callgrind leaves files");
        // The file without a thread is empty.
        if !text.is_empty() {
            let (name, counts) = parse(&String::from_utf8_lossy(&text));
            let thread_counts = threads.entry(name).or_default();
            thread_counts.instructions += counts.instructions;
            thread_counts.allocations += counts.allocations;
        }
    }
    assert!(
        THREADS.iter().all(|(name, _)| threads.contains_key(name)),
        "{threads:?}"
    );
    (HotPath::lookups(&output.stdout), threads)
}

/// Parses the output file of one thread: its name, its total, and its calls of the allocator.
fn parse(file: &str) -> (&'static str, Counts) {
    let name = THREADS
        .into_iter()
        .find(|(_, function)| file.contains(function))
        .map_or(OTHER, |(name, _)| name);
    let mut counts = Counts::default();
    let mut functions = HashMap::new();
    let mut callee = "";
    for line in file.lines() {
        if let Some(total) = line.strip_prefix("totals: ") {
            counts.instructions = total.trim().parse().expect("a total is a number");
        } else if let Some(function) = line
            .strip_prefix("cfn=")
            .or_else(|| line.strip_prefix("fn="))
        {
            // A function has its name where it occurs first, and a number only from then on.
            let (number, name) = function.split_once(' ').unwrap_or((function, ""));
            callee = if name.is_empty() {
                functions[number]
            } else {
                name
            };
            functions.insert(number, callee);
        } else if let Some(calls) = line.strip_prefix("calls=")
            && (callee.contains("__rust_alloc") || callee.contains("__rust_realloc"))
        {
            let number = calls
                .split(' ')
                .next()
                .and_then(|number| number.parse::<u64>().ok());
            counts.allocations += number.expect("calls have a number");
        }
    }
    (name, counts)
}

#[test]
fn a_file_of_callgrind_is_parsed() {
    let file = "thread: 2\nfn=(1) a::GroupCommit::run\n1 5\ncfn=(2) __rustc::__rust_alloc\ncalls=3 0\n1 9\n\
        fn=(3) b\ncfn=(2)\ncalls=4 0\n1 2\ncfn=(1)\ncalls=8 0\n1 2\ntotals: 12345\n";
    assert_eq!(
        parse(file),
        (
            "writer",
            Counts {
                instructions: 12_345,
                allocations: 7
            }
        )
    );
}
