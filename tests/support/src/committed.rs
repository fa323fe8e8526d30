//! Comparison of a committed file with its expected contents, and its update on demand.

#[cfg(test)]
mod tests;

use std::fs;
use std::path::Path;

/// Asserts that a committed file has the expected contents. Writes it first if `VOIGHT_UPDATE` requests that.
///
/// `path` is relative to the repository, or absolute. `remedy` tells how to write the file again.
#[track_caller]
pub fn assert_committed(path: impl AsRef<Path>, expected: impl AsRef<[u8]>, remedy: &str) {
    let path = path.as_ref();
    let expected_bytes = expected.as_ref();
    let file = repository().join(path);
    if is_update() {
        let result = fs::write(&file, expected_bytes);
        assert!(
            result.is_ok(),
            "{} cannot be written: {result:?}",
            path.display()
        );
    }
    assert!(
        fs::read(&file).unwrap_or_default() == expected_bytes,
        "{} has drifted; {remedy}",
        path.display()
    );
}

/// Returns `true` if committed files are to be updated, which `VOIGHT_UPDATE` requests.
///
/// Panics if `CI` is set as well: there they are only compared.
pub fn is_update() -> bool {
    is_allowed(
        std::env::var_os("VOIGHT_UPDATE").is_some(),
        std::env::var_os("CI").is_some(),
    )
}

fn is_allowed(is_update: bool, is_ci: bool) -> bool {
    assert!(
        !(is_update && is_ci),
        "VOIGHT_UPDATE and CI are both set: in CI committed files are compared and never written; unset one of them"
    );
    is_update
}

/// Returns the root of the repository, two levels above this package.
fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
