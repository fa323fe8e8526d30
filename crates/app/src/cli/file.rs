//! Files that commands write.

mod draft;
mod sink;

pub(super) use draft::{OutputFile, refuse_existing};
pub(super) use sink::{TrackedWriter, unwritable};

/// File name that selects standard output.
pub(super) const STDOUT: &str = "-";
