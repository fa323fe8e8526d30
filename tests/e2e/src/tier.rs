//! Tiers of tests.

use crate::skip::skipped;
pub use voight_support::tier::{is_full, volume};

/// Returns `true` in the full tier; otherwise reports the test as skipped.
pub fn is_full_or_skipped(name: &str) -> bool {
    if !is_full() {
        skipped(name, "runs in the full tier");
    }
    is_full()
}
