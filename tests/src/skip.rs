//! A suite that cannot run says so by name; in CI that is a failure.

/// Reports the suite `name` as skipped; panics where `CI` is set, because there nothing may be missing.
pub fn skipped(name: &str, why: &str) {
    assert!(std::env::var_os("CI").is_none(), "SKIPPED {name}: {why} (in CI nothing may be skipped)");
    println!("SKIPPED {name}: {why}");
}

/// Reports the suite `name` as skipped, also where `CI` is set: it needs something that no set-up installs.
pub fn unavailable(name: &str, why: &str) {
    println!("SKIPPED {name}: {why}");
}
