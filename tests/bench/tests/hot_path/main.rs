//! Cost of a lookup on the shipped engine, from its request bytes to its checkpoint, compared with a committed baseline. No time
//! is measured.
#![expect(
    clippy::expect_used,
    reason = "a test and its helpers stop at the first error"
)]

mod baseline;
mod callgrind;
mod program;

use baseline::{Baseline, Cost};
use callgrind::Counts;
use program::{HotPath, compiler};
use voight_tests::skip::skipped;
use voight_tests::tier::is_full_or_skipped;

/// Tolerance in ten-thousandths.
///
/// The sizes of groups and the times of checkpoints differ between runs, and the path of the repository affects inlining.
const TOLERANCE: u64 = 500;
/// Tolerance for another compiler or C library, which produce other instructions from the same source.
const TOLERANCE_OF_TOOLS: u64 = 1_000;

#[test]
fn lookup_cost_equals_the_baseline() {
    let name = "lookup_cost_equals_the_baseline";
    if !is_full_or_skipped(name) {
        return;
    }
    let Some(valgrind) = callgrind::version() else {
        return skipped(
            name,
            "valgrind is missing; `cargo xtask test --only setup` installs it",
        );
    };
    if std::env::consts::ARCH != "x86_64" {
        return skipped(
            name,
            "the committed count is of another processor architecture",
        );
    }
    let hot_path = HotPath::build();
    let with = format!("{}, {valgrind}", compiler());
    let (lookups, threads) = callgrind::count(&hot_path);
    for (name, of) in [
        (
            "instructions",
            (|counts| counts.instructions) as fn(&Counts) -> u64,
        ),
        ("allocations", |counts| counts.allocations),
    ] {
        let threads = threads
            .iter()
            .map(|(thread, counts)| ((*thread).to_owned(), of(counts)))
            .collect();
        let cost = Cost {
            lookups,
            threads,
            with: with.clone(),
        };
        Baseline::named(name).hold(&cost, |same_tools| {
            if same_tools {
                TOLERANCE
            } else {
                TOLERANCE_OF_TOOLS
            }
        });
    }
}
