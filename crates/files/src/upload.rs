//! Reading of uploaded addresses.

mod address_list;
mod cell;
mod column_plan;
mod csv;
mod decoder;
mod file_kind;
mod line;
mod line_reader;
mod merkle_dump;
mod ndjson;
mod options;
mod parquet;
mod used_columns;

pub use address_list::{AddressList, ListErrors, ListSummary, read_list};
pub use cell::QuotedCell;
pub use column_plan::ColumnError;
pub use decoder::ContentEncoding;
pub use file_kind::FileKind;
pub use line::{LineError, UploadEntry, UploadLine};
pub use line_reader::{UploadError, UploadLimits};
pub use options::{ListOptions, UnitName};
pub use used_columns::UsedColumns;

use csv::CsvParser;
use line_reader::LineReader;
use ndjson::NdjsonParser;
use std::io::Read;

/// Format of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UploadFormat {
    /// Text with an address in each line.
    Lines(LineFormat),
    /// Apache Parquet, without compression or with zstd.
    Parquet,
    /// JSON of `StandardMerkleTree.dump()` of `@openzeppelin/merkle-tree`, with the leaves `address, uint256`.
    MerkleDump,
}

/// Format of the lines of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineFormat {
    /// Comma-separated values (RFC 4180).
    Csv,
    /// A JSON object or a JSON string on each line.
    Ndjson,
}

/// Iterator over the addresses of an upload with lines.
///
/// Memory does not depend on the size of the upload. An invalid line is an item and does not end the iteration; an
/// [`UploadError`] is the last item. Empty lines and a header are skipped, and a byte order mark is removed.
pub struct AddressReader<R: Read> {
    lines: LineReader<R>,
    parser: Parser,
    limits: UploadLimits,
    addresses: u64,
    has_started: bool,
    has_ended: bool,
}

/// Parser of a format.
enum Parser {
    Csv(Box<CsvParser>),
    Ndjson(Box<NdjsonParser>),
}

impl<R: Read> AddressReader<R> {
    /// Creates a reader of this input.
    ///
    /// # Errors
    ///
    /// The decompressor has no memory.
    pub fn new(
        input: R,
        format: LineFormat,
        encoding: ContentEncoding,
        options: ListOptions,
        limits: UploadLimits,
    ) -> Result<Self, UploadError> {
        let lines = LineReader::new(input, encoding, limits)?;
        let parser = match format {
            LineFormat::Csv => Parser::Csv(Box::new(CsvParser::new(options))),
            LineFormat::Ndjson => Parser::Ndjson(Box::new(NdjsonParser::new(options))),
        };
        Ok(Self {
            lines,
            parser,
            limits,
            addresses: 0,
            has_started: false,
            has_ended: false,
        })
    }

    /// Returns the columns that are read; none before the first line.
    pub fn used_columns(&self) -> &UsedColumns {
        match &self.parser {
            Parser::Csv(parser) => parser.used_columns(),
            Parser::Ndjson(parser) => parser.used_columns(),
        }
    }

    /// Returns the number of lines without a value.
    pub fn empty_lines(&self) -> u64 {
        let empty_records = match &self.parser {
            Parser::Csv(parser) => parser.empty_records(),
            Parser::Ndjson(_) => 0,
        };
        self.lines.empty_lines() + empty_records
    }

    /// Passes if the first bytes are those of the format.
    fn require_format(&mut self) -> Result<(), UploadError> {
        let bytes = self.lines.first_bytes()?;
        let kind = match self.parser {
            Parser::Csv(_) => FileKind::of_csv(bytes),
            Parser::Ndjson(_) => FileKind::of_ndjson(bytes),
        };
        kind.map_or(Ok(()), |kind| Err(UploadError::Kind { kind }))
    }

    fn read_line(&mut self) -> Result<Option<UploadLine>, UploadError> {
        if !std::mem::replace(&mut self.has_started, true) {
            self.require_format()?;
        }
        let entry = match &mut self.parser {
            Parser::Csv(parser) => parser.read_entry(&mut self.lines)?,
            Parser::Ndjson(parser) => parser.read_entry(&mut self.lines)?,
        };
        let Some(entry) = entry else { return Ok(None) };
        let number = self.lines.record_line();
        self.addresses += 1;
        if self.addresses > self.limits.max_addresses {
            return Err(UploadError::TooManyAddresses {
                line: number,
                limit: self.limits.max_addresses,
            });
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
