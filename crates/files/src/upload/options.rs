//! Options of an upload: what a file does not say about itself.

use voight_domain::snapshot::TokenAmount;

/// Options of an upload.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListOptions {
    /// The column of the addresses: its name, or its number from 1 on.
    pub address_column: Option<String>,
    /// The column of the amounts: its name, or its number from 1 on.
    pub amount_column: Option<String>,
    /// `true` if no column is read as amounts.
    pub has_no_amounts: bool,
    /// The unit of the amounts.
    pub unit: Option<UnitName>,
    /// Number of decimals of the token, at most [`MAX_AMOUNT_DECIMALS`](voight_domain::snapshot::MAX_AMOUNT_DECIMALS). Without
    /// a unit, it says that the amounts are tokens.
    pub decimals: Option<u8>,
    /// Reward of each address of a list without amounts.
    pub amount: Option<TokenAmount>,
}

/// Name of a unit of amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitName {
    /// Whole base units of the token.
    Base,
    /// Whole tokens.
    Tokens,
}
