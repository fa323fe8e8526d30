//! Lookup records of a ledger as a document for other programs, in one of several formats.
//!
//! Record ids are stable and the same in all formats, so that a receiver can detect a repeated export. Records contain no
//! address, since ledger rows contain none.

mod cloud_events;
mod csv;
mod event_id;
mod format;
mod formula;
mod lago;

pub use format::{ExportFormat, ExportFormatError};
pub use formula::{formula_guard, without_formula_guard};

use std::io::{self, Write};
use voight_domain::services::LookupRecord;

impl ExportFormat {
    /// Returns the media type of a document.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv",
            Self::CloudEvents | Self::Lago => "application/x-ndjson",
        }
    }

    /// Writes the beginning of a document.
    pub fn begin(self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Csv => csv::begin(out),
            Self::CloudEvents | Self::Lago => Ok(()),
        }
    }

    /// Writes records to a document that was begun.
    pub fn write(self, records: &[LookupRecord], out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Csv => csv::write(records, out),
            Self::CloudEvents => cloud_events::write(records, out),
            Self::Lago => lago::write(records, out),
        }
    }
}
