//! Summary of the addresses of a snapshot.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Unit of the amounts of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AmountUnit {
    /// Whole base units of the token (wei for ether).
    Base,
    /// Tokens, with as many digits after the decimal point as the token has decimals.
    Tokens,
}

/// Summary of an upload: what is looked up, and how the file was read.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct UploadSummary {
    /// Number of distinct addresses. Each of them is one lookup.
    pub addresses: u64,
    /// Number of lines that repeat an address with the same amount.
    pub duplicates: u64,
    /// Number of distinct addresses without an amount.
    pub without_amount: u64,
    /// Number of lines without any value. No other line is ignored.
    pub empty_lines: u64,
    /// Sum of the amounts of all addresses in base units of the token; without amounts in the file, the reward of the snapshot
    /// for all of them.
    #[schema(pattern = "^[0-9]{1,39}$")]
    pub sum_base_units: Option<String>,
    /// Sum in tokens, if the request states the decimals of the token.
    #[schema(pattern = r"^[0-9]{1,39}(\.[0-9]{1,38})?$")]
    pub sum_tokens: Option<String>,
    /// Number of decimals of the token, if the request states it.
    pub decimals: Option<u8>,
    /// Unit in which the amounts of the file were read.
    pub unit: Option<AmountUnit>,
    /// Column of the addresses.
    pub address_column: String,
    /// Column of the amounts.
    pub amount_column: Option<String>,
    /// Columns that were not read, at most 100.
    pub ignored_columns: Vec<String>,
}
