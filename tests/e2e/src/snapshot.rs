//! Committed files that tests compare with their expected contents.

use crate::update;
use std::path::Path;

/// Returns `true` if the files are to be updated, which `VOIGHT_UPDATE` requests. Panics if `CI` is set as well.
pub fn is_update() -> bool {
    update::is_update()
}

/// Asserts that a committed file has the expected contents. Writes it first if `VOIGHT_UPDATE` requests that.
///
/// `path` is relative to the repository, or absolute. `remedy` tells how to write the file again.
#[track_caller]
pub fn assert_committed(path: impl AsRef<Path>, expected: impl AsRef<[u8]>, remedy: &str) {
    update::assert_committed(path, expected, remedy);
}
