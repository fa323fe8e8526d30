//! Lines of an upload, within its limits.

use super::column_plan::ColumnError;
use super::decoder::{ContentEncoding, Decoder, InputError, MAX_EXPANSION};
use super::file_kind::FileKind;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

/// UTF-8 byte order mark.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Number of empty lines that an upload may have in addition to one for each record.
const MAX_FURTHER_EMPTY_LINES: u64 = 1_000;

/// Limits of an upload. The default values suit a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UploadLimits {
    /// Maximum number of lines with an address, valid or not. Default 1,000,000.
    pub max_addresses: u64,
    /// Maximum length of a line in bytes, without its end. Default 4 KiB.
    pub max_line_bytes: usize,
    /// Maximum number of bytes before and after decompression. Default 256 MiB.
    pub max_bytes: u64,
}

/// Error that ends the reading of an upload.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    /// The number of addresses exceeds its limit.
    #[error(
        "line {line}: the upload has more than {limit} addresses; split it into several uploads"
    )]
    TooManyAddresses {
        /// Number of the line of the first excess address.
        line: u64,
        /// The limit.
        limit: u64,
    },
    /// The length of a line exceeds its limit.
    #[error(
        "line {line} has more than {limit} bytes; shorten it, and check that its quotation marks are closed"
    )]
    LineTooLong {
        /// Number of the line.
        line: u64,
        /// The limit in bytes.
        limit: usize,
    },
    /// The size of the upload exceeds its limit.
    #[error(
        "line {line}: the upload has more than {limit} bytes after decompression; remove columns other than address and amount, or split it into several uploads"
    )]
    TooLarge {
        /// Number of the line that exceeds the limit.
        line: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The upload expands too much.
    #[error(
        "line {line}: the upload expands to more than {MAX_EXPANSION} times its compressed size, as no list of addresses does; remove repeated and empty lines, or send it without compression"
    )]
    Expansion {
        /// Number of the line that could not be read.
        line: u64,
    },
    /// The upload has too many empty lines.
    #[error(
        "line {line}: the upload has more than {limit} empty lines before this one; remove them"
    )]
    EmptyLines {
        /// Number of the first excess empty line.
        line: u64,
        /// The limit: 1,000 in addition to one for each record before the line.
        limit: u64,
    },
    /// The compressed data is truncated or corrupt, or needs too much memory.
    #[error(
        "line {line}: the upload is not a complete {encoding} file ({source}); compress it again, with a window of at most 8 MiB, and upload all of it"
    )]
    Decompression {
        /// Number of the line that could not be read.
        line: u64,
        /// The compression.
        encoding: ContentEncoding,
        /// Error of the decompressor.
        source: io::Error,
    },
    /// The file has another format.
    #[error("the file is {kind}")]
    Kind {
        /// The format.
        kind: FileKind,
    },
    /// The columns with addresses and amounts are not known.
    #[error("line {line}: {error}")]
    Columns {
        /// Number of the line with the columns.
        line: u64,
        /// The reason.
        error: ColumnError,
    },
    /// Lines end with carriage returns.
    #[error(
        "line {line} has a carriage return (U+000D) without a line feed, as files for old Macs have at the end of each line; save the file with line feeds"
    )]
    CarriageReturns {
        /// Number of the line.
        line: u64,
    },
    /// A binary or JSON document is invalid.
    #[error("the file is no complete {format} file ({reason})")]
    Document {
        /// The format.
        format: &'static str,
        /// The reason.
        reason: String,
    },
    /// The input failed.
    #[error("line {line}: the upload cannot be read ({source}); send it again")]
    Input {
        /// Number of the line that could not be read.
        line: u64,
        /// Error of the input.
        source: io::Error,
    },
}

/// Reader of lines, and of records that span several lines.
pub(super) struct LineReader<R: Read> {
    input: BufReader<Decoder<R>>,
    encoding: ContentEncoding,
    limits: UploadLimits,
    bytes: u64,
    lines: u64,
    empty_lines: u64,
    records: u64,
    record: Vec<u8>,
    record_line: u64,
}

impl Default for UploadLimits {
    fn default() -> Self {
        Self {
            max_addresses: 1_000_000,
            max_line_bytes: 4 << 10,
            max_bytes: 256 << 20,
        }
    }
}

impl<R: Read> LineReader<R> {
    /// Creates a reader of this input.
    pub(super) fn new(
        input: R,
        encoding: ContentEncoding,
        limits: UploadLimits,
    ) -> Result<Self, UploadError> {
        let decoder = Decoder::new(input, encoding, limits.max_bytes)
            .map_err(|source| UploadError::Input { line: 1, source })?;
        let input = BufReader::with_capacity(64 << 10, decoder);
        let record = Vec::new();
        Ok(Self {
            input,
            encoding,
            limits,
            bytes: 0,
            lines: 0,
            empty_lines: 0,
            records: 0,
            record,
            record_line: 0,
        })
    }

    /// Starts a record with the next line that is not empty. Returns `false` at the end of the input.
    pub(super) fn start_record(&mut self) -> Result<bool, UploadError> {
        loop {
            self.record.clear();
            self.record_line = self.lines + 1;
            if !self.append_line()? {
                return Ok(false);
            }
            if !self.record.trim_ascii().is_empty() {
                self.records += 1;
                return Ok(true);
            }
            self.empty_lines += 1;
            let limit = self.records + MAX_FURTHER_EMPTY_LINES;
            if self.empty_lines > limit {
                return Err(UploadError::EmptyLines {
                    line: self.record_line,
                    limit,
                });
            }
        }
    }

    /// Appends a line feed and the next line to the record. Returns `false` at the end of the input.
    pub(super) fn continue_record(&mut self) -> Result<bool, UploadError> {
        self.record.push(b'\n');
        self.append_line()
    }

    /// Returns the first bytes of the input. Called before the first record.
    pub(super) fn first_bytes(&mut self) -> Result<&[u8], UploadError> {
        loop {
            match self.input.fill_buf().map(drop) {
                Ok(()) => return Ok(self.input.buffer()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.read_error(error)),
            }
        }
    }

    /// Returns the number of empty lines between records.
    pub(super) fn empty_lines(&self) -> u64 {
        self.empty_lines
    }

    /// Returns the record without the end of its last line.
    pub(super) fn record(&self) -> &[u8] {
        &self.record
    }

    /// Returns the number of the first line of the record; the first line of the input is 1.
    pub(super) fn record_line(&self) -> u64 {
        self.record_line
    }

    fn append_line(&mut self) -> Result<bool, UploadError> {
        let UploadLimits {
            max_line_bytes,
            max_bytes,
            ..
        } = self.limits;
        // The end of a line has up to two bytes, which do not count.
        let room = (max_line_bytes + 2).saturating_sub(self.record.len());
        let length = self
            .input
            .by_ref()
            .take(room as u64)
            .read_until(b'\n', &mut self.record);
        let length = length.map_err(|error| self.read_error(error))?;
        if length == 0 {
            return Ok(false);
        }
        self.lines += 1;
        self.bytes += length as u64;
        if self.bytes > max_bytes {
            return Err(UploadError::TooLarge {
                line: self.lines,
                limit: max_bytes,
            });
        }
        if self.record.pop_if(|last| *last == b'\n').is_some() {
            self.record.pop_if(|last| *last == b'\r');
        }
        if self.lines == 1 && self.record.starts_with(BYTE_ORDER_MARK) {
            self.record.drain(..BYTE_ORDER_MARK.len());
        }
        if self.record.len() > max_line_bytes {
            return Err(UploadError::LineTooLong {
                line: self.record_line,
                limit: max_line_bytes,
            });
        }
        Ok(true)
    }

    fn read_error(&self, error: io::Error) -> UploadError {
        let line = self.lines + 1;
        match error.downcast() {
            Ok(InputError::TooLarge) => UploadError::TooLarge {
                line,
                limit: self.limits.max_bytes,
            },
            Ok(InputError::Expansion) => UploadError::Expansion { line },
            Ok(InputError::Failed(source)) => UploadError::Input { line, source },
            Err(source) => UploadError::Decompression {
                line,
                encoding: self.encoding,
                source,
            },
        }
    }
}
