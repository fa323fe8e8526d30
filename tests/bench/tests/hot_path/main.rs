//! Cost of a lookup from its request bytes to its response bytes, compared with a committed baseline. No time is
//! measured.
#![expect(clippy::expect_used, reason = "a test and its helpers stop at the first error")]

mod baseline;
mod callgrind;
mod program;

use baseline::{Baseline, Cost};
use program::{HotPath, compiler};
use voight_tests::skip::skipped;
use voight_tests::tier::is_full_or_skipped;

/// Tolerance of instructions in ten-thousandths.
///
/// The seed of a hash map determines its collisions, and the path of the repository affects inlining.
const TOLERANCE: u64 = 100;
/// Tolerance for another compiler or C library, which produce other instructions from the same source.
const TOLERANCE_OF_TOOLS: u64 = 1_000;

#[test]
fn the_number_of_allocations_of_a_lookup_equals_the_baseline() {
    if !is_full_or_skipped("the_number_of_allocations_of_a_lookup_equals_the_baseline") {
        return;
    }
    let hot_path = HotPath::build();
    let cost = Cost { lookups: hot_path.lookups(), count: hot_path.allocations(), with: compiler() };
    Baseline::named("allocations").hold(&cost, |_| 0);
}

#[test]
fn the_number_of_instructions_of_a_lookup_equals_the_baseline() {
    let name = "the_number_of_instructions_of_a_lookup_equals_the_baseline";
    if !is_full_or_skipped(name) {
        return;
    }
    let Some(valgrind) = callgrind::version() else {
        return skipped(name, "valgrind is missing; `cargo xtask test --only setup` installs it");
    };
    if std::env::consts::ARCH != "x86_64" {
        return skipped(name, "the committed count is of another processor architecture");
    }
    let hot_path = HotPath::build();
    let with = format!("{}, {valgrind}", compiler());
    let cost = Cost { lookups: hot_path.lookups(), count: callgrind::instructions(&hot_path), with };
    Baseline::named("instructions").hold(&cost, |same_tools| if same_tools { TOLERANCE } else { TOLERANCE_OF_TOOLS });
}
