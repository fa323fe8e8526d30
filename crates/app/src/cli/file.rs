//! Files that commands write.

mod output_file;
mod sink;

pub(super) use output_file::{OutputFile, reject_existing};
pub(super) use sink::{TrackedWriter, unwritable};

use crate::cli::progress::Progress;
use crate::exit::CommandError;
use crate::output::Output;
use std::io::{self, Read, Write};
use std::path::Path;

/// File name that selects standard output.
pub(super) const STDOUT: &str = "-";

/// Saves a response as `out`, which must not exist, or writes it to standard output. Returns the number of bytes in the file;
/// `None` for standard output.
///
/// `open` sends the request, `activity` names it beside the progress, and `aborted` is the message for a response that ends early.
pub(super) fn save<R: Read>(
    output: Output,
    out: &Path,
    activity: &'static str,
    aborted: &str,
    open: impl FnOnce() -> Result<R, CommandError>,
) -> Result<Option<u64>, CommandError> {
    let copy = |to: &mut dyn Write, name: &Path| {
        let body = open()?;
        let progress = Progress::of_bytes(output, activity);
        TrackedWriter::new(to, name, &progress).copy_from(body, aborted)
    };
    if out == Path::new(STDOUT) {
        return copy(&mut io::stdout().lock(), Path::new("standard output")).map(|_| None);
    }
    reject_existing(out)?;
    let draft = OutputFile::create(out)?;
    let bytes = copy(&mut draft.file(), draft.path())?;
    draft.sync()?;
    draft.persist_new(out)?;
    Ok(Some(bytes))
}
