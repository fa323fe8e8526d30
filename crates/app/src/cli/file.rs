//! Files that commands write.

mod draft;
mod sink;

pub(super) use draft::{OutputFile, refuse_existing};
pub(super) use sink::TrackedWriter;

/// In the place of a file's name, stands for standard output.
pub(super) const STDOUT: &str = "-";
