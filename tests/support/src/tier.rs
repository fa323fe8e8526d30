//! Tiers of tests: the default tier, and the full tier of `cargo xtask test --full`, which sets `VOIGHT_FULL`.

use std::env;

/// Returns `true` in the full tier.
pub fn is_full() -> bool {
    env::var_os("VOIGHT_FULL").is_some()
}

/// Returns the volume of a test in this tier.
pub fn volume<T>(default: T, full: T) -> T {
    if is_full() { full } else { default }
}
