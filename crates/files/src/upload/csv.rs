//! Addresses in comma-separated values (RFC 4180).

use super::line::{LineError, UploadEntry, parse_address, parse_amount};
use super::line_reader::{LineReader, UploadError};
use csv_core::{ReadRecordResult, ReaderBuilder, Terminator};
use std::io::Read;
use voight_domain::EoaAddress;
use voight_domain::vocabulary::AddressError;

/// Names of the address column in lower case, by priority.
const ADDRESS_NAMES: [&str; 4] = ["address", "eoa_address", "wallet", "recipient"];
/// Names of the amount column in lower case, by priority.
const AMOUNT_NAMES: [&str; 3] = ["amount", "weight", "value"];

/// Parser of records, with the columns that it has found.
#[derive(Default)]
pub(super) struct CsvParser {
    /// `None` before the first line, which determines the delimiter.
    parser: Option<csv_core::Reader>,
    /// `true` after the first record, which may be a header.
    has_started: bool,
    address_column: Option<usize>,
    amount_column: AmountColumn,
    record: Record,
}

/// Column of the amounts.
#[derive(Default, Clone, Copy)]
enum AmountColumn {
    /// The first value of the second column decides.
    #[default]
    Undecided,
    Missing,
    Index(usize),
}

/// Fields of a record.
#[derive(Default)]
struct Record {
    /// The fields one after another; the rest of the buffer is unused.
    text: Vec<u8>,
    text_len: usize,
    /// End of each field in `text`; the rest of the buffer is unused.
    ends: Vec<usize>,
    ends_len: usize,
}

impl CsvParser {
    /// Reads the next record with data. Returns `None` at the end of the input.
    pub(super) fn read_entry<R: Read>(
        &mut self,
        lines: &mut LineReader<R>,
    ) -> Result<Option<Result<UploadEntry, LineError>>, UploadError> {
        while self.read_record(lines)? {
            if self.record.fields().all(<[u8]>::is_empty) {
                continue;
            }
            if !self.has_started {
                self.has_started = true;
                if is_header(&self.record) {
                    self.find_columns_by_name();
                    continue;
                }
            }
            return Ok(Some(self.entry()));
        }
        Ok(None)
    }

    fn read_record<R: Read>(&mut self, lines: &mut LineReader<R>) -> Result<bool, UploadError> {
        if !lines.start_record()? {
            return Ok(false);
        }
        let parser = self.parser.get_or_insert_with(|| {
            // Bare carriage returns end no line, so that a line has one record.
            let terminator = Terminator::Any(b'\n');
            ReaderBuilder::new().delimiter(delimiter(lines.record())).terminator(terminator).build()
        });
        self.record.clear();
        let mut parsed = 0;
        loop {
            let line = &lines.record()[parsed..];
            // No bytes would represent the end of the input.
            if !line.is_empty() {
                self.record.parse(parser, line);
            }
            // The line feed is part of the record if it is in a quoted field.
            parsed += line.len() + 1;
            if self.record.parse(parser, b"\n") {
                return Ok(true);
            }
            if !lines.continue_record()? {
                self.record.parse(parser, b"");
                return Ok(true);
            }
        }
    }

    fn find_columns_by_name(&mut self) {
        let names: Vec<_> = self.record.fields().map(<[u8]>::to_ascii_lowercase).collect();
        let find =
            |wanted: &[&str]| wanted.iter().find_map(|wanted| names.iter().position(|name| name == wanted.as_bytes()));
        self.address_column = find(&ADDRESS_NAMES);
        self.amount_column = find(&AMOUNT_NAMES).map_or(AmountColumn::Undecided, AmountColumn::Index);
    }

    fn entry(&mut self) -> Result<UploadEntry, LineError> {
        if let (AmountColumn::Undecided, Some(second @ [_, ..])) = (self.amount_column, self.record.field(1)) {
            let is_number = looks_like_number(second);
            self.amount_column = if is_number { AmountColumn::Index(1) } else { AmountColumn::Missing };
        }
        let address = match self.address_column {
            Some(column) => parse_address(self.record.field(column).unwrap_or_default())?,
            None => self.find_address()?,
        };
        let amount = match self.amount_column {
            AmountColumn::Index(column) => parse_amount(self.record.field(column).unwrap_or_default())?,
            AmountColumn::Undecided | AmountColumn::Missing => None,
        };
        Ok(UploadEntry { address, amount })
    }

    /// Returns the first address of the record, whose column is the address column from then on.
    fn find_address(&mut self) -> Result<EoaAddress, AddressError> {
        for (column, field) in self.record.fields().enumerate() {
            if let Ok(address) = parse_address(field) {
                self.address_column = Some(column);
                return Ok(address);
            }
        }
        parse_address(self.record.fields().find(|field| is_address_like(field)).unwrap_or_default())
    }
}

impl Record {
    fn clear(&mut self) {
        self.text_len = 0;
        self.ends_len = 0;
    }

    /// Parses the next bytes of the record; no bytes at the end of the input. Returns `true` if the record is complete.
    fn parse(&mut self, parser: &mut csv_core::Reader, input: &[u8]) -> bool {
        // Each byte of the input adds at most one byte to a field, or ends a field. One more field ends with the record.
        self.text.resize(self.text.len().max(self.text_len + input.len() + 1), 0);
        self.ends.resize(self.ends.len().max(self.ends_len + input.len() + 2), 0);
        let (result, _, text, ends) =
            parser.read_record(input, &mut self.text[self.text_len..], &mut self.ends[self.ends_len..]);
        self.text_len += text;
        self.ends_len += ends;
        matches!(result, ReadRecordResult::Record)
    }

    /// Returns a field without surrounding white space.
    fn field(&self, index: usize) -> Option<&[u8]> {
        self.fields().nth(index)
    }

    /// Returns the fields without surrounding white space.
    fn fields(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends[..self.ends_len]
            .iter()
            .map(move |end| self.text[std::mem::replace(&mut start, *end)..*end].trim_ascii())
    }
}

/// Returns `true` if the first record is a header: no field looks like an address.
///
/// A first line with an invalid address is data, so that its error is reported.
fn is_header(record: &Record) -> bool {
    !record.fields().any(is_address_like)
}

fn is_address_like(field: &[u8]) -> bool {
    field.starts_with(b"0x") || field.starts_with(b"0X")
}

/// Returns `true` for whole numbers, and for values such as `1.5`, `1,000` and `1e18`, which are amounts in another notation and
/// must not be ignored.
fn looks_like_number(field: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_digit() || b".,_eE".contains(byte);
    field.first().is_some_and(u8::is_ascii_digit) && field.iter().all(is_part)
}

/// Returns the delimiter of a file by its first line. Spreadsheets of many countries write semicolons.
fn delimiter(first_line: &[u8]) -> u8 {
    b",;\t".iter().copied().find(|delimiter| first_line.contains(delimiter)).unwrap_or(b',')
}
