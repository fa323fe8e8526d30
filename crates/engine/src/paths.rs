//! Paths beside that of a database.

use std::path::{Path, PathBuf};

/// Returns the path of the log of the database at `path`.
pub fn wal_path(path: &Path) -> PathBuf {
    with_suffix(path, ".log")
}

/// Appends `suffix` to the last component of a path.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
