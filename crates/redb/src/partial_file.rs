//! Detects files whose creation was interrupted by a crash.
//!
//! redb writes its magic number last and permanently rejects a file without it. Such a file contains no commit and can
//! be created again.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// First bytes of every redb file.
pub(crate) const MAGIC: &[u8] = b"redb\x1a\x0a\xa9\x0d\x0a";
/// Size of redb's header; the creation of a file writes nothing beyond it.
const HEADER: usize = 320;

/// Returns `true` if the creation of the file was interrupted. It then has no magic number, and only zeros after the
/// header. Mistaking another file for one is practically excluded: it would have to consist of zeros, except for the
/// header.
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

/// Truncates an interrupted file, so that it can be created again. A file that another process is creating is not
/// modified.
pub(crate) fn truncate(path: &Path) -> io::Result<()> {
    let file = File::options().write(true).open(path)?;
    if file.try_lock().is_ok() {
        file.set_len(0)?;
    }
    Ok(())
}
