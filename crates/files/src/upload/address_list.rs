//! List of the addresses of an upload, with its summary or all of its errors.

use super::cell::QuotedCell;
use super::column_plan::ColumnError;
use super::line::UploadLine;
use super::line_reader::{UploadError, UploadLimits};
use super::options::ListOptions;
use super::used_columns::UsedColumns;
use super::{AddressReader, ContentEncoding, UploadFormat, merkle_dump, parquet};
use std::fmt;
use std::fs::File;
use std::io::BufReader;
use voight_domain::snapshot::{ListedAddress, TokenAmount};

/// Maximum number of errors that are listed; further ones are counted.
const LISTED_ERRORS: usize = 100;

/// Addresses of an upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressList {
    /// The distinct addresses, in ascending order.
    pub addresses: Vec<ListedAddress>,
    /// The summary.
    pub summary: ListSummary,
}

/// Summary of an upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListSummary {
    /// Number of distinct addresses.
    pub addresses: u64,
    /// Number of lines that repeat an address with the same amount.
    pub duplicates: u64,
    /// Number of distinct addresses without an amount.
    pub without_amount: u64,
    /// Number of lines without any value. No other line is ignored.
    pub empty_lines: u64,
    /// Sum of the amounts of all addresses, or the reward of each address times their number; `None` without amounts.
    pub sum: Option<TokenAmount>,
    /// Number of decimals of the token, if it is known.
    pub decimals: Option<u8>,
    /// The columns.
    pub columns: UsedColumns,
}

/// Errors of an upload, of which nothing is used.
#[derive(Debug)]
pub struct ListErrors {
    /// Name of a line of the format: `Line`, `Row` or `Value`.
    line_name: &'static str,
    /// The first errors of lines, in ascending order of their lines.
    lines: Vec<(u64, String)>,
    /// Number of errors of lines.
    count: u64,
    /// The error of the upload.
    upload: Option<String>,
}

/// Address and amount with the number of its line. The bytes need no alignment, which saves 3 MB for a million addresses.
struct ListedLine {
    listed: ListedAddress,
    number: [u8; 4],
}

/// Builder of a list.
struct ListBuilder {
    lines: Vec<ListedLine>,
    errors: ListErrors,
    addresses: u64,
    limits: UploadLimits,
}

/// Reads an upload.
///
/// The addresses and amounts of all lines are in memory, 41 bytes for each line; the text is not.
///
/// # Errors
///
/// A line is wrong, an address has several amounts, or the upload cannot be read. All errors of lines are counted.
pub fn read_list(
    file: &File,
    format: UploadFormat,
    encoding: ContentEncoding,
    options: &ListOptions,
    limits: UploadLimits,
) -> Result<AddressList, ListErrors> {
    let mut builder = ListBuilder::new(format, limits);
    let result = match format {
        UploadFormat::Lines(format) => AddressReader::new(
            BufReader::new(file),
            format,
            encoding,
            options.clone(),
            limits,
        )
        .and_then(|mut reader| {
            for line in reader.by_ref() {
                builder.add(line?)?;
            }
            Ok((reader.used_columns().clone(), reader.empty_lines()))
        }),
        UploadFormat::Parquet => {
            parquet::read(file, options, limits, &mut |line| builder.add(line))
                .map(|columns| (columns, 0))
        }
        UploadFormat::MerkleDump => {
            merkle_dump::read(file, encoding, options, limits, &mut |line| {
                builder.add(line)
            })
            .map(|columns| (columns, 0))
        }
    };
    builder.finish(result, options)
}

impl ListBuilder {
    fn new(format: UploadFormat, limits: UploadLimits) -> Self {
        let line_name = match format {
            UploadFormat::Lines(_) => "Line",
            UploadFormat::Parquet => "Row",
            UploadFormat::MerkleDump => "Value",
        };
        let errors = ListErrors {
            line_name,
            lines: Vec::new(),
            count: 0,
            upload: None,
        };
        Self {
            lines: Vec::new(),
            errors,
            addresses: 0,
            limits,
        }
    }

    fn add(&mut self, UploadLine { number, entry }: UploadLine) -> Result<(), UploadError> {
        self.addresses += 1;
        let limit = self.limits.max_addresses;
        if self.addresses > limit {
            return Err(UploadError::TooManyAddresses {
                line: number,
                limit,
            });
        }
        match entry {
            Ok(entry) => {
                let listed_address = ListedAddress {
                    address: entry.address,
                    amount: entry.amount,
                };
                let number = u32::try_from(number).unwrap_or(u32::MAX).to_be_bytes();
                self.lines.push(ListedLine {
                    listed: listed_address,
                    number,
                });
            }
            Err(error) => self.errors.add(number, || error.to_string()),
        }
        Ok(())
    }

    fn finish(
        mut self,
        read: Result<(UsedColumns, u64), UploadError>,
        options: &ListOptions,
    ) -> Result<AddressList, ListErrors> {
        self.lines
            .sort_unstable_by_key(|line| (line.listed.address, line.number));
        self.find_contradictions();
        let (columns, empty_lines) = match read {
            Ok(read) => read,
            Err(error) => return Err(self.errors.with_upload(format!("{error}"))),
        };
        if self.errors.count > 0 {
            return Err(self.errors);
        }
        let lines = self.lines.len() as u64;
        let mut addresses: Vec<_> = self.lines.into_iter().map(|line| line.listed).collect();
        addresses.dedup_by_key(|entry| entry.address);
        let summary = ListSummary::new(&addresses, columns, options)
            .map_err(|error| self.errors.with_upload(error))?;
        let summary = ListSummary {
            duplicates: lines - summary.addresses,
            empty_lines,
            ..summary
        };
        Ok(AddressList { addresses, summary })
    }

    /// Adds an error for each line whose amount is not that of the first line with its address.
    fn find_contradictions(&mut self) {
        let number = |line: &ListedLine| u32::from_be_bytes(line.number);
        for group in self
            .lines
            .chunk_by(|line, next| line.listed.address == next.listed.address)
        {
            let [first, repeated @ ..] = group else {
                continue;
            };
            for line in repeated
                .iter()
                .filter(|line| line.listed.amount != first.listed.amount)
            {
                let amount = |line: &ListedLine| {
                    line.listed
                        .amount
                        .map_or("none".to_owned(), |amount| amount.to_string())
                };
                self.errors.add(number(line).into(), || {
                    format!(
                        "the address {} has the amount {} in base units, and {} in line {}; list it once",
                        line.listed.address,
                        amount(line),
                        amount(first),
                        number(first),
                    )
                });
            }
        }
    }
}

impl ListSummary {
    /// Summarises a list. Returns an error if the list contradicts the options.
    fn new(
        addresses: &[ListedAddress],
        columns: UsedColumns,
        options: &ListOptions,
    ) -> Result<Self, String> {
        if options.unit.is_some() && columns.amount.is_none() {
            return Err(ColumnError::UnitWithoutAmounts.to_string());
        }
        let count = addresses.len() as u64;
        let mut amounts = addresses.iter().filter_map(|entry| entry.amount).peekable();
        let too_large = || "the sum of all amounts exceeds 2^128 - 1 base units; correct the unit, the decimals or the amounts";
        let sum = match (options.amount, amounts.peek()) {
            (Some(_), Some(_)) => {
                let column = columns.amount.map(|(name, _)| name).unwrap_or_default();
                return Err(ColumnError::UniformAmount {
                    column: QuotedCell::new(&column),
                }
                .to_string());
            }
            (Some(amount), None) => Some(amount.checked_mul(count).ok_or_else(too_large)?),
            (None, Some(_)) => Some(
                amounts
                    .try_fold(TokenAmount::default(), TokenAmount::checked_add)
                    .ok_or_else(too_large)?,
            ),
            (None, None) => None,
        };
        if count == 0 {
            return Err("the upload has no address; send at least one".to_owned());
        }
        let without_amount = if options.amount.is_some() {
            0
        } else {
            addresses
                .iter()
                .filter(|entry| entry.amount.is_none())
                .count() as u64
        };
        let decimals = options.decimals;
        Ok(Self {
            addresses: count,
            duplicates: 0,
            without_amount,
            empty_lines: 0,
            sum,
            decimals,
            columns,
        })
    }
}

impl ListErrors {
    /// Counts the error of a line, and keeps the first ones.
    fn add(&mut self, number: u64, message: impl FnOnce() -> String) {
        self.count += 1;
        let index = self.lines.partition_point(|(line, _)| *line <= number);
        if index < LISTED_ERRORS {
            self.lines.insert(index, (number, message()));
            self.lines.truncate(LISTED_ERRORS);
        }
    }

    fn with_upload(mut self, message: impl Into<String>) -> Self {
        self.upload = Some(message.into());
        self
    }
}

impl fmt::Display for ListErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            line_name,
            lines,
            count,
            upload,
        } = self;
        match (upload, count) {
            (Some(upload), _) => write!(f, "Nothing was uploaded: {upload}.")?,
            (None, 1) => write!(
                f,
                "Nothing was uploaded; correct this error, and send all addresses again."
            )?,
            (None, _) => {
                write!(
                    f,
                    "Nothing was uploaded; correct these {count} errors, and send all addresses again."
                )?;
            }
        }
        for (number, error) in lines {
            write!(f, "\n{line_name} {number}: {error}.")?;
        }
        match count.saturating_sub(lines.len() as u64) {
            0 => Ok(()),
            more => write!(f, "\nand {more} more errors."),
        }
    }
}

impl std::error::Error for ListErrors {}
