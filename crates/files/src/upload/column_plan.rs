//! Choice of the columns with addresses and amounts, by their names or by options. Nothing is guessed from positions or values.

use super::cell::{QuotedCell, quoted_list};
use super::options::{ListOptions, UnitName};
use crate::rows::COLUMNS;
use voight_domain::snapshot::AmountUnit;

/// Names of columns with addresses, in lower case without separators.
const ADDRESS_NAMES: [&str; 16] = [
    "address",
    "addr",
    "eoaaddress",
    "eoa",
    "wallet",
    "walletaddress",
    "recipient",
    "recipientaddress",
    "receiver",
    "receiveraddress",
    "account",
    "accountaddress",
    "ethaddress",
    "ethereumaddress",
    "evmaddress",
    "useraddress",
];
/// Names of columns with amounts, in lower case without separators, with the unit that the name states.
const AMOUNT_NAMES: [(&str, Option<UnitName>); 14] = [
    ("amount", None),
    ("reward", None),
    ("rewards", None),
    ("value", None),
    ("weight", None),
    ("allocation", None),
    ("payout", None),
    ("tokens", None),
    ("tokenamount", None),
    ("amountbaseunits", Some(UnitName::Base)),
    ("baseunits", Some(UnitName::Base)),
    ("amountwei", Some(UnitName::Base)),
    ("wei", Some(UnitName::Base)),
    ("amounttokens", Some(UnitName::Tokens)),
];
/// Parts of names of columns that may have amounts. Such a column is neither read nor ignored unless an option says so.
const AMOUNT_STEMS: [&str; 13] = [
    "amount", "reward", "alloc", "payout", "bonus", "prize", "value", "weight", "balance",
    "tokens", "total", "quantity", "wei",
];

/// Columns of a file.
#[derive(Debug, Clone, Copy)]
pub(super) enum Columns<'a> {
    /// Columns with names.
    Named(&'a [String]),
    /// Columns of a file without a header.
    Unnamed {
        /// Number of columns.
        count: usize,
        /// A cell of the first line that is no name.
        cell: &'a str,
    },
}

/// Columns that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ColumnPlan {
    /// Index of the column with addresses.
    pub(super) address: usize,
    /// The column with amounts; `None` if the list has none.
    pub(super) amount: Option<AmountColumn>,
}

/// Column with amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AmountColumn {
    /// Index of the column.
    pub(super) index: usize,
    /// The unit.
    pub(super) unit: AmountUnit,
    /// `true` in a file of snapshot rows, which has no amount for an address without one.
    pub(super) is_optional: bool,
}

/// Error of the choice of columns.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ColumnError {
    /// No column has a known name of addresses.
    #[error(
        "no column has a known name of addresses such as address or wallet; the columns are {columns}; name the one with the recipients by address_column (--address-column NAME); cells are separated by commas, semicolons or tabs"
    )]
    NoAddress {
        /// The columns.
        columns: String,
    },
    /// Several columns have a known name.
    #[error("the columns {columns} may all have the {content}; name the right one by {option} (--{} NAME)", .option.replace('_', "-"))]
    Ambiguous {
        /// The columns.
        columns: String,
        /// Addresses or amounts.
        content: &'static str,
        /// The option that names the column.
        option: &'static str,
    },
    /// A column may have amounts, but its name is no known one.
    #[error(
        "the column {columns} may have the amounts; name it by amount_column (--amount-column NAME), or read no amounts by no_amounts (--no-amounts)"
    )]
    UnclearAmount {
        /// The column.
        columns: String,
    },
    /// The file has several columns without names.
    #[error(
        "the file has {count} columns and no header, because its first line has the cell {cell}; add a header such as address,amount, or state the numbers of the columns by address_column and amount_column (--address-column 1 --amount-column 2), or no_amounts (--no-amounts)"
    )]
    NoHeader {
        /// Number of columns.
        count: usize,
        /// The cell that is no name.
        cell: QuotedCell,
    },
    /// An option names a column that the file does not have.
    #[error(
        "{option} is {name}, but the columns are {columns}; state a name, or a number from 1 to {count}"
    )]
    UnknownColumn {
        /// The option.
        option: &'static str,
        /// Its value.
        name: QuotedCell,
        /// The columns.
        columns: String,
        /// Number of columns.
        count: usize,
    },
    /// Both options name the same column.
    #[error("address_column and amount_column are the same column; state two")]
    SameColumn,
    /// The file has amounts, and the snapshot has the amount of each address.
    #[error(
        "the list has amounts in the column {column}, and the snapshot has the amount of each address (amount, --amount); leave one out, or read no amounts by no_amounts (--no-amounts)"
    )]
    UniformAmount {
        /// The column.
        column: QuotedCell,
    },
    /// Both options about amounts are set.
    #[error("amount_column and no_amounts exclude each other; state one of them")]
    ContradictoryAmounts,
    /// The unit of the amounts is not stated.
    #[error(
        "the unit of the amounts in the column {column} is not stated; state unit=base for base units (--unit base), or the decimals of the token for whole tokens (--decimals 18)"
    )]
    NoUnit {
        /// The column.
        column: QuotedCell,
    },
    /// The number of decimals is not stated.
    #[error("amounts in tokens need the decimals of the token; state decimals (--decimals 18)")]
    NoDecimals,
    /// The name of a column states another unit than the option.
    #[error(
        "the name of the column {column} states another unit than the option unit; correct one of them"
    )]
    ContradictoryUnit {
        /// The column.
        column: QuotedCell,
    },
    /// A unit is stated, but the list has no amounts.
    #[error(
        "unit states the unit of amounts, but no column has any; name the column by amount_column (--amount-column NAME), or leave unit out"
    )]
    UnitWithoutAmounts,
}

impl ColumnPlan {
    /// Chooses the columns.
    pub(super) fn new(columns: Columns<'_>, options: &ListOptions) -> Result<Self, ColumnError> {
        if options.has_no_amounts && options.amount_column.is_some() {
            return Err(ColumnError::ContradictoryAmounts);
        }
        if let Columns::Unnamed { count, cell } = columns {
            let is_stated = options.address_column.is_some()
                && (options.amount_column.is_some() || options.has_no_amounts);
            if count > 1 && !is_stated {
                return Err(ColumnError::NoHeader {
                    count,
                    cell: QuotedCell::new(cell),
                });
            }
        }
        let address = columns.address(options)?;
        let amount = columns.amount(address, options)?;
        if amount == Some(address) {
            return Err(ColumnError::SameColumn);
        }
        let amount = amount
            .map(|index| columns.amount_column(index, options))
            .transpose()?;
        Ok(Self { address, amount })
    }

    /// Returns the labels of the columns that are not read.
    pub(super) fn ignored(&self, columns: Columns<'_>) -> Vec<String> {
        let is_read = |index| {
            index == self.address || self.amount.is_some_and(|amount| amount.index == index)
        };
        (0..columns.count())
            .filter(|index| !is_read(*index))
            .map(|index| columns.label(index))
            .collect()
    }
}

impl Columns<'_> {
    fn names(&self) -> &[String] {
        match self {
            Self::Named(names) => names,
            Self::Unnamed { .. } => &[],
        }
    }

    pub(super) const fn count(&self) -> usize {
        match self {
            Self::Named(names) => names.len(),
            Self::Unnamed { count, .. } => *count,
        }
    }

    /// Returns the name of a column, or its number from 1 on.
    pub(super) fn label(&self, index: usize) -> String {
        match self.names().get(index) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("column {}", index + 1),
        }
    }

    fn quoted(&self, indexes: impl IntoIterator<Item = usize>) -> String {
        let labels: Vec<_> = indexes.into_iter().map(|index| self.label(index)).collect();
        quoted_list(labels.iter().map(String::as_str))
    }

    fn matching(&self, is_match: impl Fn(&str) -> bool) -> Vec<usize> {
        let names = self.names().iter().enumerate();
        names
            .filter(|(_, name)| is_match(&plain_name(name)))
            .map(|(index, _)| index)
            .collect()
    }

    fn address(&self, options: &ListOptions) -> Result<usize, ColumnError> {
        if let Some(name) = &options.address_column {
            return self.stated("address_column", "addresses", name);
        }
        match (
            self,
            self.matching(|name| ADDRESS_NAMES.contains(&name))
                .as_slice(),
        ) {
            (Self::Unnamed { .. }, _) => Ok(0),
            (Self::Named(_), []) => Err(ColumnError::NoAddress {
                columns: self.quoted(0..self.count()),
            }),
            (Self::Named(_), [address]) => Ok(*address),
            (Self::Named(_), several) => {
                Err(self.ambiguous(several, "addresses", "address_column"))
            }
        }
    }

    fn amount(&self, address: usize, options: &ListOptions) -> Result<Option<usize>, ColumnError> {
        if options.has_no_amounts {
            return Ok(None);
        }
        if let Some(name) = &options.amount_column {
            return self.stated("amount_column", "amounts", name).map(Some);
        }
        let mut candidates =
            self.matching(|name| AMOUNT_STEMS.iter().any(|stem| name.contains(stem)));
        candidates.retain(|index| *index != address);
        match candidates.as_slice() {
            [] => Ok(None),
            [index] if self.is_known_amount(*index) => Ok(Some(*index)),
            [index] => Err(ColumnError::UnclearAmount {
                columns: self.quoted([*index]),
            }),
            several => Err(self.ambiguous(several, "amounts", "amount_column")),
        }
    }

    /// Returns the column that an option names.
    fn stated(
        &self,
        option: &'static str,
        content: &'static str,
        name: &str,
    ) -> Result<usize, ColumnError> {
        let stated_name = plain_name(name);
        match self.matching(|name| name == stated_name).as_slice() {
            [index] => return Ok(*index),
            [] => {}
            several => return Err(self.ambiguous(several, content, option)),
        }
        let number = name
            .trim()
            .parse::<usize>()
            .ok()
            .filter(|number| (1..=self.count()).contains(number));
        number
            .map(|number| number - 1)
            .ok_or_else(|| ColumnError::UnknownColumn {
                option,
                name: QuotedCell::new(name),
                columns: self.quoted(0..self.count()),
                count: self.count(),
            })
    }

    fn ambiguous(
        &self,
        indexes: &[usize],
        content: &'static str,
        option: &'static str,
    ) -> ColumnError {
        ColumnError::Ambiguous {
            columns: self.quoted(indexes.iter().copied()),
            content,
            option,
        }
    }

    /// Returns `true` if the name of a column is a known one of amounts.
    fn is_known_amount(&self, index: usize) -> bool {
        self.amount_name(index).is_some()
    }

    /// Returns the unit that the name of a column of amounts states.
    fn unit_of_name(&self, index: usize) -> Option<UnitName> {
        self.amount_name(index).and_then(|(_, unit)| *unit)
    }

    fn amount_name(&self, index: usize) -> Option<&'static (&'static str, Option<UnitName>)> {
        let name = plain_name(self.names().get(index)?);
        AMOUNT_NAMES.iter().find(|(known, _)| *known == name)
    }

    fn amount_column(
        &self,
        index: usize,
        options: &ListOptions,
    ) -> Result<AmountColumn, ColumnError> {
        let is_optional = self.are_of_rows();
        let by_name = if is_optional {
            Some(UnitName::Base)
        } else {
            self.unit_of_name(index)
        };
        let column = || QuotedCell::new(&self.label(index));
        let unit = match (by_name, options.unit) {
            (Some(named), Some(stated)) if named != stated => {
                return Err(ColumnError::ContradictoryUnit { column: column() });
            }
            (named, stated) => named
                .or(stated)
                .or(options.decimals.map(|_| UnitName::Tokens)),
        };
        let unit = unit.ok_or_else(|| match options.amount {
            Some(_) => ColumnError::UniformAmount { column: column() },
            None => ColumnError::NoUnit { column: column() },
        });
        let unit = match unit? {
            UnitName::Base => AmountUnit::Base,
            UnitName::Tokens => AmountUnit::Tokens {
                decimals: options.decimals.ok_or(ColumnError::NoDecimals)?,
            },
        };
        Ok(AmountColumn {
            index,
            unit,
            is_optional,
        })
    }

    /// Returns `true` for the columns of a file of snapshot rows, whose amounts are base units.
    fn are_of_rows(&self) -> bool {
        let names = self.names();
        names.len() == COLUMNS.len()
            && COLUMNS
                .iter()
                .all(|column| names.iter().any(|name| name == column))
    }
}

/// Returns a name in lower case without separators: `Wallet Address`, `wallet_address` and `walletAddress` are the same name.
fn plain_name(name: &str) -> String {
    name.trim()
        .chars()
        .filter(|character| !" _-.".contains(*character))
        .flat_map(char::to_lowercase)
        .collect()
}
