//! Reading of uploaded addresses.

mod csv;
mod decoder;
mod line;
mod line_reader;
mod ndjson;

pub use decoder::ContentEncoding;
pub use line::{LineError, UploadEntry, UploadLine};
pub use line_reader::{UploadError, UploadLimits};

use csv::CsvParser;
use line_reader::LineReader;
use std::io::Read;

/// Format of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UploadFormat {
    /// Comma-separated values (RFC 4180), with or without a header.
    Csv,
    /// A JSON object or a JSON string on each line.
    Ndjson,
}

/// Iterator over the addresses of an upload.
///
/// Memory does not depend on the size of the upload. An invalid line is an item and does not end the iteration; an
/// [`UploadError`] is the last item. Empty lines and a header are skipped, and a byte order mark is removed.
pub struct AddressReader<R: Read> {
    lines: LineReader<R>,
    parser: Parser,
    limits: UploadLimits,
    addresses: u64,
    has_ended: bool,
}

/// Parser of a format.
enum Parser {
    Csv(Box<CsvParser>),
    Ndjson,
}

impl<R: Read> AddressReader<R> {
    /// Creates a reader of this input.
    ///
    /// # Errors
    ///
    /// The decompressor has no memory.
    pub fn new(
        input: R,
        format: UploadFormat,
        encoding: ContentEncoding,
        limits: UploadLimits,
    ) -> Result<Self, UploadError> {
        let lines = LineReader::new(input, encoding, limits)?;
        let parser = match format {
            UploadFormat::Csv => Parser::Csv(Box::default()),
            UploadFormat::Ndjson => Parser::Ndjson,
        };
        Ok(Self { lines, parser, limits, addresses: 0, has_ended: false })
    }

    fn read_line(&mut self) -> Result<Option<UploadLine>, UploadError> {
        let entry = match &mut self.parser {
            Parser::Csv(parser) => parser.read_entry(&mut self.lines)?,
            Parser::Ndjson => ndjson::read_entry(&mut self.lines)?,
        };
        let Some(entry) = entry else { return Ok(None) };
        let number = self.lines.record_line();
        self.addresses += 1;
        if self.addresses > self.limits.max_addresses {
            return Err(UploadError::TooManyAddresses { line: number, limit: self.limits.max_addresses });
        }
        Ok(Some(UploadLine { number, entry }))
    }
}

impl<R: Read> Iterator for AddressReader<R> {
    type Item = Result<UploadLine, UploadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let line = self.read_line().transpose();
        self.has_ended = !matches!(line, Some(Ok(_)));
        line
    }
}
