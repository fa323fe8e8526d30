//! Writer for the output of long-running commands.

use crate::cli::progress::Progress;
use crate::exit::CommandError;
use crate::write_failure::write_failure;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

const BUFFER: usize = 64 << 10;

/// Counts the written bytes and keeps the write error.
///
/// The failure then names the output and not the source.
pub(in crate::cli) struct TrackedWriter<'a, W: Write> {
    out: BufWriter<W>,
    path: &'a Path,
    progress: &'a Progress,
    failed: Option<CommandError>,
}

impl<'a, W: Write> TrackedWriter<'a, W> {
    /// Creates a writer to `out`; messages name it by `path`.
    pub(in crate::cli) fn new(out: W, path: &'a Path, progress: &'a Progress) -> Self {
        Self {
            out: BufWriter::with_capacity(BUFFER, out),
            path,
            progress,
            failed: None,
        }
    }

    /// Copies a response; returns its number of bytes. `aborted` is the message for a response that ends early.
    pub(in crate::cli) fn copy_from(
        &mut self,
        mut source: impl Read,
        aborted: &str,
    ) -> Result<u64, CommandError> {
        let copy_result =
            io::copy(&mut source, self).and_then(|bytes| self.flush().map(|()| bytes));
        copy_result.map_err(|_| self.failure_or(|| CommandError::internal(aborted)))
    }

    /// Returns the write error if there was one, else `other`, the failure of the source.
    pub(in crate::cli) fn failure_or(
        &mut self,
        other: impl FnOnce() -> CommandError,
    ) -> CommandError {
        self.failed.take().unwrap_or_else(other)
    }

    fn record_error<T>(&mut self, outcome: io::Result<T>) -> io::Result<T> {
        outcome.inspect_err(|error| self.failed = Some(unwritable(self.path, error)))
    }
}

impl<W: Write> Write for TrackedWriter<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.out.write(bytes);
        let length = self.record_error(length)?;
        self.progress.add(length as u64);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.out.flush();
        self.record_error(result)
    }
}

/// Returns the failure of a file that cannot be written.
pub(in crate::cli) fn unwritable(path: &Path, error: &io::Error) -> CommandError {
    write_failure(path, error, "name another file with --out")
}
