//! Skipped test suites: each is reported by name; in CI a skip is a failure.

/// Reports the suite `name` as skipped; panics if `CI` is set, where every requirement must be met.
pub fn skipped(name: &str, why: &str) {
    assert!(std::env::var_os("CI").is_none(), "SKIPPED {name}: {why} (in CI nothing may be skipped)");
    println!("SKIPPED {name}: {why}");
}

/// Reports the suite `name` as skipped, also where `CI` is set: it needs something that no set-up installs.
pub fn unavailable(name: &str, why: &str) {
    println!("SKIPPED {name}: {why}");
}
