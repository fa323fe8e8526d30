//! Dump: a complete store as one stream of bytes, independent of the engine. `docs/reference/backup-format.md` describes the
//! layout.

mod file_time;
mod format;
mod read;
mod write;

pub use file_time::timestamp_for_file_name;
pub use format::{DumpError, DumpSummary};
pub use read::{DumpEntry, DumpReader, read_dump};
pub use write::{DumpWriter, write_dump};

/// Version of the dump layout that this release writes, and the newest that it reads.
pub const DUMP_VERSION: u16 = 1;
