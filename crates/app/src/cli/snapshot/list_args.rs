//! Options of an address list, which a file does not say about itself.

use clap::{Args, ValueEnum};
use voight_api::route::push_query;
use voight_domain::snapshot::MAX_AMOUNT_DECIMALS;

/// Options of an address list.
#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Column of the addresses: its name, or its number from 1 on [default: the column with a known name, such as address or wallet]
    #[arg(long, value_name = "COLUMN", conflicts_with = "seen")]
    address_column: Option<String>,
    /// Column of the amounts: its name, or its number from 1 on [default: the column with a known name, such as amount or reward]
    #[arg(long, value_name = "COLUMN", conflicts_with = "seen")]
    amount_column: Option<String>,
    /// Read no amounts from the file
    #[arg(long, conflicts_with = "seen", conflicts_with_all = ["amount_column", "unit"])]
    no_amounts: bool,
    /// Unit of the amounts in the file
    #[arg(long, value_name = "UNIT", conflicts_with = "seen")]
    unit: Option<Unit>,
    /// Number of decimals of the token. Without --unit, the amounts in the file are whole tokens
    #[arg(long, value_name = "NUMBER", conflicts_with = "seen", value_parser = clap::value_parser!(u8).range(..=i64::from(MAX_AMOUNT_DECIMALS)))]
    decimals: Option<u8>,
}

/// Unit of amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Unit {
    /// Base units of the token (wei for ether)
    Base,
    /// Tokens, as 12.5; needs --decimals
    Tokens,
}

impl ListArgs {
    /// Returns the path of an upload with these options.
    pub(super) fn upload_path(&self, snapshot: &str, is_dry_run: bool) -> String {
        let unit = self.unit.map(|unit| match unit {
            Unit::Base => "base",
            Unit::Tokens => "tokens",
        });
        let decimals = self.decimals.map(|decimals| decimals.to_string());
        let mut path = format!("/{snapshot}/addresses");
        for (name, value) in [
            ("address_column", self.address_column.as_deref()),
            ("amount_column", self.amount_column.as_deref()),
            ("no_amounts", self.no_amounts.then_some("true")),
            ("unit", unit),
            ("decimals", decimals.as_deref()),
            ("dry_run", is_dry_run.then_some("true")),
        ] {
            if let Some(value) = value {
                push_query(&mut path, name, value);
            }
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_parameters_of_the_upload() {
        let mut args = ListArgs {
            address_column: None,
            amount_column: None,
            no_amounts: false,
            unit: None,
            decimals: None,
        };
        assert_eq!(args.upload_path("01a", false), "/01a/addresses");
        args.address_column = Some("Wallet Address".to_owned());
        args.unit = Some(Unit::Tokens);
        args.decimals = Some(18);
        let expected_path =
            "/01a/addresses?address_column=Wallet%20Address&unit=tokens&decimals=18&dry_run=true";
        assert_eq!(args.upload_path("01a", true), expected_path);
    }
}
