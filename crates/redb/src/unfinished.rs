//! What a crash in the middle of a file's creation leaves.
//!
//! redb writes the number by which its files are known last of all, and then refuses a file without it for ever. Such a
//! file holds no commit, so it is as good as none.

use crate::engine::MAGIC;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// redb's header; its creation writes nothing beyond.
const HEADER: usize = 320;

/// Whether this is the beginning of a redb file, and nothing but zeros follow it. No other file is taken for one by mistake:
/// it would have to be empty in all but name.
pub(crate) fn is_partial(mut file: File) -> io::Result<bool> {
    let mut header = Vec::new();
    file.by_ref().take(HEADER as u64).read_to_end(&mut header)?;
    if header.is_empty() || header.iter().take(MAGIC.len()).any(|byte| *byte != 0) {
        return Ok(false);
    }
    let mut block = vec![0; 64 << 10];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(true),
            length if block.iter().take(length).any(|byte| *byte != 0) => return Ok(false),
            _ => {}
        }
    }
}

/// Empties such a file, so that it can be created anew; leaves one alone that another process is creating just now.
pub(crate) fn truncate(path: &Path) -> io::Result<()> {
    let file = File::options().write(true).open(path)?;
    if file.try_lock().is_ok() {
        file.set_len(0)?;
    }
    Ok(())
}
