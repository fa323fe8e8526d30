//! Export formats.

use std::fmt;
use std::str::FromStr;

/// Format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// Comma-separated values (RFC 4180) with a header line.
    Csv,
    /// CloudEvents 1.0 as lines of JSON, one event per line. OpenMeter accepts them without conversion.
    CloudEvents,
    /// Lines of JSON, each the body of one request to Lago's endpoint for batches of events.
    Lago,
}

/// Error for a text that is not an export format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportFormatError;

impl ExportFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Csv, Self::CloudEvents, Self::Lago];

    /// Returns the name of the format in the API and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::CloudEvents => "cloudevents",
            Self::Lago => "lago",
        }
    }
}

impl FromStr for ExportFormat {
    type Err = ExportFormatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|format| format.as_str() == text)
            .ok_or(ExportFormatError)
    }
}

impl fmt::Display for ExportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for ExportFormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the format of an export is one of {}",
            ExportFormat::ALL.map(ExportFormat::as_str).join(", ")
        )
    }
}

impl std::error::Error for ExportFormatError {}
