//! Line of an upload.

use voight_domain::EoaAddress;
use voight_domain::snapshot::{TokenAmount, TokenAmountError};
use voight_domain::vocabulary::AddressError;

/// Line of an upload that should have an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// The amount; `None` if the line has none.
    pub amount: Option<TokenAmount>,
}

/// Error of a line. Other lines are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The address is invalid or missing.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// The amount is invalid.
    #[error(transparent)]
    Amount(#[from] TokenAmountError),
    /// The line is neither a JSON object with an address nor a JSON string.
    #[error(
        "a line is a JSON string, or a JSON object with one of the members `address` and `eoa_address` (invalid at column {column})"
    )]
    Json {
        /// Column of the first invalid byte; the first column is 1.
        column: usize,
    },
}

/// Parses an address from bytes without surrounding white space.
pub(super) fn parse_address(field: &[u8]) -> Result<EoaAddress, AddressError> {
    str::from_utf8(field).map_err(|_| AddressError::Malformed)?.parse()
}

/// Parses an amount from bytes without surrounding white space; none if they are empty.
pub(super) fn parse_amount(field: &[u8]) -> Result<Option<TokenAmount>, TokenAmountError> {
    let text = str::from_utf8(field).map_err(|_| TokenAmountError::Malformed)?;
    if text.is_empty() { Ok(None) } else { text.parse().map(Some) }
}
