//! Files that commands write.

mod output_file;
mod sink;

pub(super) use output_file::{OutputFile, refuse_existing};
pub(super) use sink::{TrackedWriter, unwritable};

/// File name that selects standard output.
pub(super) const STDOUT: &str = "-";
