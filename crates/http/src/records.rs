//! Lookups of a ledger as a document that other programs read, in one of several formats.
//!
//! Records are named alike in all of them and for ever: whoever takes the same export twice can tell that it is the same. None
//! holds an address, since rows hold none.

mod cloud_events;
mod csv;
mod format;
mod formula;
mod lago;
mod name;

pub use format::{ExportFormat, ExportFormatError};
pub use formula::{formula_guard, without_formula_guard};

use std::io::{self, Write};
use voight_domain::services::LookupRecord;

impl ExportFormat {
    /// The media type of a document.
    pub(crate) const fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv",
            Self::CloudEvents | Self::Lago => "application/x-ndjson",
        }
    }

    /// Writes what a document begins with.
    pub(crate) fn begin(self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Csv => csv::begin(out),
            Self::CloudEvents | Self::Lago => Ok(()),
        }
    }

    /// Writes some more records.
    pub(crate) fn write(self, records: &[LookupRecord], out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Csv => csv::write(records, out),
            Self::CloudEvents => cloud_events::write(records, out),
            Self::Lago => lago::write(records, out),
        }
    }
}
