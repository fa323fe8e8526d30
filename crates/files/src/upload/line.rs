//! Line of an upload.

use super::cell::QuotedCell;
use super::column_plan::{AmountColumn, ColumnError};
use voight_domain::EoaAddress;
use voight_domain::snapshot::{AmountProblem, TokenAmount};
use voight_domain::vocabulary::AddressProblem;

/// Line of an upload that should have an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadLine {
    /// Number of the line in the file; the first line is 1.
    pub number: u64,
    /// The address, or the error of the line.
    pub entry: Result<UploadEntry, LineError>,
}

/// Address of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UploadEntry {
    /// The address.
    pub address: EoaAddress,
    /// The amount; `None` if the list has none.
    pub amount: Option<TokenAmount>,
}

/// Error of a line. Other lines are read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The address is invalid or missing.
    #[error("the address is {cell}: {problem}")]
    Address {
        /// The cell.
        cell: QuotedCell,
        /// The reason.
        problem: AddressProblem,
    },
    /// The amount is invalid or missing.
    #[error("the amount is {cell}: {problem}")]
    Amount {
        /// The cell.
        cell: QuotedCell,
        /// The reason.
        problem: AmountProblem,
    },
    /// The number of cells is not that of the first line.
    #[error(
        "the number of cells is {count}, and that of the first line is {expected}; put cells with delimiters into quotation marks"
    )]
    Cells {
        /// Number of cells.
        count: usize,
        /// Number of columns.
        expected: usize,
    },
    /// A quotation mark is not closed.
    #[error("a quotation mark is not closed; close it, or double those within a quoted cell")]
    OpenQuotation,
    /// A quoted cell contains line ends and an address.
    #[error(
        "a quoted cell contains line ends and an address; close its quotation mark in its own line"
    )]
    QuotedAddress,
    /// The line contains a carriage return without a line feed.
    #[error(
        "the line has a carriage return (U+000D) without a line feed; end lines with a line feed"
    )]
    CarriageReturn,
    /// The line is neither a JSON object nor a JSON string.
    #[error(
        "the line is neither a JSON object such as {{\"address\":\"0x…\",\"amount\":\"5\"}} nor a JSON string (invalid at column {column})"
    )]
    Json {
        /// Column of the first invalid byte; the first column is 1.
        column: usize,
    },
    /// An object has a member twice.
    #[error("the member {name} occurs twice; leave one out")]
    RepeatedMember {
        /// The name.
        name: QuotedCell,
    },
    /// The members of an object do not determine address and amount.
    #[error(transparent)]
    Members(#[from] ColumnError),
    /// Address and amount are in other members than those of the first line.
    #[error(
        "the line has {members}, and the first line has {expected}; write the same members in all lines"
    )]
    OtherMembers {
        /// The members of the line with address and amount.
        members: String,
        /// The members of the first line.
        expected: String,
    },
}

impl UploadEntry {
    /// Parses the cells of an address and of its amount, without surrounding white space.
    pub(super) fn from_cells(
        address: &[u8],
        amount: Option<(&[u8], AmountColumn)>,
    ) -> Result<Self, LineError> {
        let address = parse_address(address)?;
        let amount = match amount {
            Some((cell, column)) if !(cell.is_empty() && column.is_optional) => {
                Some(parse_amount(cell, column)?)
            }
            _ => None,
        };
        Ok(Self { address, amount })
    }
}

fn parse_address(cell: &[u8]) -> Result<EoaAddress, LineError> {
    if let Some(address) = str::from_utf8(cell).ok().and_then(|text| text.parse().ok()) {
        return Ok(address);
    }
    let text = String::from_utf8_lossy(cell);
    let problem = AddressProblem::from_text(&text).unwrap_or(AddressProblem::Other);
    Err(LineError::Address {
        cell: QuotedCell::new(&text),
        problem,
    })
}

fn parse_amount(cell: &[u8], column: AmountColumn) -> Result<TokenAmount, LineError> {
    let text = String::from_utf8_lossy(cell);
    TokenAmount::from_text(&text, column.unit).map_err(|problem| LineError::Amount {
        cell: QuotedCell::new(&text),
        problem,
    })
}
