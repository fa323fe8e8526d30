//! Skipped tests. Each prints its name and the reason; a run with `CI` set permits only those of `.config/permitted-skips.txt`.

/// Reports a test as skipped.
pub fn skipped(name: &str, why: &str) {
    println!("SKIPPED {name}: {why}");
}
