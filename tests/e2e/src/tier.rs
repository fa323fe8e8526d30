//! Tiers of tests: the default tier, and the full tier of `cargo xtask test --full`, which sets `VOIGHT_FULL`.

use crate::skip::skipped;
use std::env;

/// Returns `true` in the full tier.
pub fn is_full() -> bool {
    env::var_os("VOIGHT_FULL").is_some()
}

/// Returns `true` in the full tier; otherwise reports the test as skipped.
pub fn is_full_or_skipped(name: &str) -> bool {
    if !is_full() {
        skipped(name, "runs in the full tier");
    }
    is_full()
}

/// Returns the volume of a test in this tier.
pub fn volume<T>(default: T, full: T) -> T {
    if is_full() { full } else { default }
}
