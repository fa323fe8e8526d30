//! Skipped tests. Each prints its name and the reason; a run with `CI` set permits only those of `.config/permitted-skips.txt`.

use std::env;

/// Reports a test as skipped.
pub fn skipped(name: &str, why: &str) {
    println!("SKIPPED {name}: {why}");
}

/// Returns `true` if the tests of the full tier run (`cargo xtask test --full`).
pub fn is_full_tier() -> bool {
    env::var_os("VOIGHT_FULL").is_some()
}

/// Reports a test as skipped and returns `false`, unless the tests of the full tier run.
pub fn runs_in_this_tier(name: &str) -> bool {
    let runs = is_full_tier();
    if !runs {
        skipped(name, "runs in the full tier");
    }
    runs
}
