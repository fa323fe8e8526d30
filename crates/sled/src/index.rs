//! sled's index of its log: the newest of the files `snap.*`.
//!
//! sled writes one while it opens a folder, from the log alone, and removes the one before when it is done. It reads the
//! one whose name comes last, be it damaged or half-made, and then refuses the folder without a word why.

use crate::folder::names;
use std::fs;
use std::io;
use std::path::Path;
use voight_store::OpenError;

/// What sled begins the name of an index with.
const PREFIX: &str = "snap.";
/// What sled ends the name of an index with while it writes it.
const PARTIAL_SUFFIX: &str = ".generating";
/// The length of an index and its checksum, at its end.
const TRAILER: usize = 12;

/// Whether a file of this name is an index.
pub(crate) fn is_index(name: &str) -> bool {
    name.starts_with(PREFIX) && !is_partial(name)
}

/// Whether a file of this name is an index that an opening was writing when it was interrupted.
pub(crate) fn is_partial(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(PARTIAL_SUFFIX)
}

/// Refuses the index that sled would read, in a sentence that says what to do, if it is damaged. What an interrupted opening
/// has left half-made is removed: the log has everything that is in it, and sled would refuse the folder for it.
pub(crate) fn check(path: &Path) -> Result<(), OpenError> {
    remove_partial(path).map_err(|error| OpenError::io(path.display(), error))?;
    let names = names(path).map_err(|error| OpenError::io(path.display(), error))?;
    let Some(newest) = names.into_iter().filter(|name| is_index(name)).max() else { return Ok(()) };
    let file = path.join(&newest);
    if is_whole(&fs::read(&file).map_err(|error| OpenError::io(file.display(), error))?) {
        return Ok(());
    }
    Err(OpenError::ManualRepairNeeded {
        place: file.display().to_string(),
        what: "the checksum of this index of the log does not hold".to_owned(),
        remedy: format!(
            "move {newest} out of the folder and start again, which makes the index anew from the log; keep it until that \
             has worked"
        ),
    })
}

/// Removes what an opening has left half-made. Nobody may hold the folder.
pub(crate) fn remove_partial(path: &Path) -> io::Result<()> {
    names(path)?.iter().filter(|name| is_partial(name)).try_for_each(|name| fs::remove_file(path.join(name)))
}

fn is_whole(file: &[u8]) -> bool {
    let body = file.len().checked_sub(TRAILER).filter(|length| *length > 0).map(|length| &file[..length]);
    match (body, file.last_chunk()) {
        (Some(body), Some(sum)) => crc32fast::hash(body) == u32::from_le_bytes(*sum),
        _ => false,
    }
}
