//! Index of sled's log: the newest of the files `snap.*`.
//!
//! sled creates an index from the log when it opens a directory, and then removes the previous one. It reads the last
//! one in name order, even if it is damaged or incomplete, and then rejects the directory without an explanation.

use crate::layout::names;
use std::fs;
use std::io;
use std::path::Path;
use voight_engine::OpenError;

/// Prefix of index file names.
const PREFIX: &str = "snap.";
/// Suffix of index file names while sled writes them.
const PARTIAL_SUFFIX: &str = ".generating";
/// Size of the trailer of an index: its length and checksum.
const TRAILER: usize = 12;

/// Returns `true` if `name` is that of an index.
pub(crate) fn is_index(name: &str) -> bool {
    name.starts_with(PREFIX) && !is_partial(name)
}

/// Returns `true` if `name` is that of an incomplete index, left by an interrupted start.
pub(crate) fn is_partial(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(PARTIAL_SUFFIX)
}

/// Rejects a damaged index, with instructions for its repair. An incomplete one is removed: the log has all of its
/// data, and sled would reject the directory because of it.
pub(crate) fn check(path: &Path) -> Result<(), OpenError> {
    remove_partial(path).map_err(|error| OpenError::io(path.display(), error))?;
    let names = names(path).map_err(|error| OpenError::io(path.display(), error))?;
    let Some(newest) = names.into_iter().filter(|name| is_index(name)).max() else {
        return Ok(());
    };
    let file = path.join(&newest);
    if is_whole(&fs::read(&file).map_err(|error| OpenError::io(file.display(), error))?) {
        return Ok(());
    }
    Err(OpenError::ManualRepairNeeded {
        place: file.display().to_string(),
        what: "the checksum of this index of the log does not hold".to_owned(),
        remedy: format!(
            "move {newest} out of the folder and start again, which rebuilds the index from the log; keep it until that \
             has worked"
        ),
    })
}

/// Removes incomplete index files. No process may hold the directory.
pub(crate) fn remove_partial(path: &Path) -> io::Result<()> {
    names(path)?
        .iter()
        .filter(|name| is_partial(name))
        .try_for_each(|name| fs::remove_file(path.join(name)))
}

fn is_whole(file: &[u8]) -> bool {
    let body = file
        .len()
        .checked_sub(TRAILER)
        .filter(|length| *length > 0)
        .map(|length| &file[..length]);
    match (body, file.last_chunk()) {
        (Some(body), Some(sum)) => crc32fast::hash(body) == u32::from_le_bytes(*sum),
        _ => false,
    }
}
