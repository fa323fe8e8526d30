//! Skipped tests. Each prints its name and the reason; a run with `CI` set permits only those of `.config/permitted-skips.txt`.

/// Returns the name of the function in which it is written, for the report of a skipped test.
#[macro_export]
macro_rules! test_name {
    () => {{
        const fn marker() {}
        let path = std::any::type_name_of_val(&marker);
        path.rsplit("::")
            .find(|part| *part != "marker" && !part.starts_with('{'))
            .unwrap_or(path)
    }};
}

/// Reports a test as skipped.
pub fn skipped(name: &str, reason: &str) {
    println!("SKIPPED {name}: {reason}");
}
