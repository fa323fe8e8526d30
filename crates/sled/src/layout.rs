//! Files in the directory of a database, and the sizes in its log.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Segment size of the log in bytes. It can never change: sled rejects a directory that was written with another size.
///
/// sled stores a page larger than a quarter of a segment in a file of its own, which no sync of the log covers. A page
/// holds about twenty entries, so with this size and [`LARGEST_VALUE`] this never occurs. sled also reuses a freed
/// segment only two segments later, so data that a smaller batch moves is still in its old location if the power fails
/// during the batch. Twice this size, sled's maximum, overflows one of its counters when a segment is filled exactly.
pub(crate) const SEGMENT: usize = 8 << 20;

/// Largest value in bytes: twenty of them fit into a quarter of a segment.
pub(crate) const LARGEST_VALUE: usize = 96 << 10;

/// Name of the file of the commit counter.
pub(crate) const COUNTER_FILE: &str = "mark";

/// Returns the path of the log.
pub(crate) fn log_of(path: &Path) -> PathBuf {
    path.join("db")
}

/// Returns the path of sled's settings, which sled writes once and requires to match from then on.
pub(crate) fn settings_of(path: &Path) -> PathBuf {
    path.join("conf")
}

/// Returns the path of the file of the commit counter.
pub(crate) fn counter_of(path: &Path) -> PathBuf {
    path.join(COUNTER_FILE)
}

/// Returns the file names in the directory.
pub(crate) fn names(path: &Path) -> io::Result<Vec<String>> {
    fs::read_dir(path)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect()
}
