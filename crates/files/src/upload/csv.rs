//! Addresses in comma-separated values (RFC 4180).

use super::column_plan::{ColumnPlan, Columns};
use super::line::{LineError, UploadEntry};
use super::line_reader::{LineReader, UploadError};
use super::options::ListOptions;
use super::used_columns::UsedColumns;
use csv_core::{ReadRecordResult, ReaderBuilder, Terminator};
use std::io::Read;
use voight_domain::snapshot::looks_like_number;
use voight_domain::vocabulary::{is_formula, looks_like_address};

/// Parser of records, with the columns that it reads.
pub(super) struct CsvParser {
    options: ListOptions,
    /// `None` before the first line, which determines the delimiter.
    parser: Option<csv_core::Reader>,
    /// Columns that are read; `None` before the first record.
    plan: Option<ColumnPlan>,
    used_columns: UsedColumns,
    /// Number of columns of the first record.
    columns: usize,
    empty_records: u64,
    record: Record,
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
    /// `true` if the record has several lines.
    has_line_ends: bool,
    /// `true` if the input ends within a quoted field.
    is_open: bool,
}

impl CsvParser {
    /// Creates a parser.
    pub(super) fn new(options: ListOptions) -> Self {
        let used_columns = UsedColumns::default();
        let record = Record::default();
        Self {
            options,
            parser: None,
            plan: None,
            used_columns,
            columns: 0,
            empty_records: 0,
            record,
        }
    }

    /// Returns the columns; none before the first line.
    pub(super) fn used_columns(&self) -> &UsedColumns {
        &self.used_columns
    }

    /// Returns the number of records without a value.
    pub(super) fn empty_records(&self) -> u64 {
        self.empty_records
    }

    /// Reads the next record with data. Returns `None` at the end of the input.
    pub(super) fn read_entry<R: Read>(
        &mut self,
        lines: &mut LineReader<R>,
    ) -> Result<Option<Result<UploadEntry, LineError>>, UploadError> {
        while self.read_record(lines)? {
            if self.record.fields().all(<[u8]>::is_empty) && !self.record.is_open {
                self.empty_records += 1;
                continue;
            }
            let has_carriage_return = lines.record().contains(&b'\r');
            let plan = match self.plan {
                Some(plan) => plan,
                None if has_carriage_return => {
                    return Err(UploadError::CarriageReturns {
                        line: lines.record_line(),
                    });
                }
                None => {
                    let line = lines.record_line();
                    let is_header = self
                        .choose_columns()
                        .map_err(|error| UploadError::Columns { line, error })?;
                    match self.plan {
                        Some(plan) if !is_header => plan,
                        _ => continue,
                    }
                }
            };
            return Ok(Some(if has_carriage_return {
                Err(LineError::CarriageReturn)
            } else {
                self.entry(plan)
            }));
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
            ReaderBuilder::new()
                .delimiter(delimiter(lines.record()))
                .terminator(terminator)
                .build()
        });
        self.record.clear();
        let mut parsed_bytes = 0;
        loop {
            let line = &lines.record()[parsed_bytes..];
            // No bytes would represent the end of the input.
            if !line.is_empty() {
                self.record.parse(parser, line);
            }
            // The line feed is part of the record if it is in a quoted field.
            parsed_bytes += line.len() + 1;
            if self.record.parse(parser, b"\n") {
                return Ok(true);
            }
            if !lines.continue_record()? {
                self.record.parse(parser, b"");
                self.record.is_open = true;
                return Ok(true);
            }
            self.record.has_line_ends = true;
        }
    }

    /// Chooses the columns by the first record. Returns `true` if it is a header: no cell is an address, a number or a formula.
    fn choose_columns(&mut self) -> Result<bool, super::column_plan::ColumnError> {
        let names: Vec<_> = self
            .record
            .fields()
            .map(|field| String::from_utf8_lossy(field).into_owned())
            .collect();
        let is_value = |cell: &&String| {
            looks_like_address(cell) || looks_like_number(cell) || is_formula(cell)
        };
        let value = names.iter().find(is_value);
        let columns = match value {
            Some(cell) => Columns::Unnamed {
                count: names.len(),
                cell,
            },
            None => Columns::Named(&names),
        };
        let plan = ColumnPlan::new(columns, &self.options)?;
        self.used_columns.add(columns, plan);
        self.plan = Some(plan);
        self.columns = names.len();
        Ok(value.is_none())
    }

    fn entry(&self, plan: ColumnPlan) -> Result<UploadEntry, LineError> {
        let record = &self.record;
        if record.is_open {
            return Err(LineError::OpenQuotation);
        }
        if record.ends_len != self.columns {
            return Err(LineError::Cells {
                count: record.ends_len,
                expected: self.columns,
            });
        }
        if record.has_line_ends
            && record
                .fields()
                .any(|field| field.contains(&b'\n') && has_address_line(field))
        {
            return Err(LineError::QuotedAddress);
        }
        let field = |index| record.field(index).unwrap_or_default();
        UploadEntry::from_cells(
            field(plan.address),
            plan.amount.map(|amount| (field(amount.index), amount)),
        )
    }
}

impl Record {
    fn clear(&mut self) {
        self.text_len = 0;
        self.ends_len = 0;
        self.has_line_ends = false;
        self.is_open = false;
    }

    /// Parses the next bytes of the record; no bytes at the end of the input. Returns `true` if the record is complete.
    fn parse(&mut self, parser: &mut csv_core::Reader, input: &[u8]) -> bool {
        // Each byte of the input adds at most one byte to a field, or ends a field. One more field ends with the record.
        self.text
            .resize(self.text.len().max(self.text_len + input.len() + 1), 0);
        self.ends
            .resize(self.ends.len().max(self.ends_len + input.len() + 2), 0);
        let (result, _, text, ends) = parser.read_record(
            input,
            &mut self.text[self.text_len..],
            &mut self.ends[self.ends_len..],
        );
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

/// Returns `true` if a line of a field with several lines has an address, as after a quotation mark that is not closed.
fn has_address_line(field: &[u8]) -> bool {
    String::from_utf8_lossy(field)
        .lines()
        .flat_map(|line| line.split([',', ';', '\t']))
        .any(looks_like_address)
}

/// Returns the delimiter of a file by its first line. Spreadsheets of many countries write semicolons.
fn delimiter(first_line: &[u8]) -> u8 {
    b",;\t"
        .iter()
        .copied()
        .find(|delimiter| first_line.contains(delimiter))
        .unwrap_or(b',')
}
