//! Options of an upload in the query, and its summary in the response.

use crate::error::ApiError;
use serde::Deserialize;
use voight_api::public::{AmountUnit, UploadSummary};
use voight_domain::snapshot::{self, MAX_AMOUNT_DECIMALS};
use voight_files::{ListOptions, ListSummary, UnitName};

/// Query of an upload.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UploadQuery {
    address_column: Option<String>,
    amount_column: Option<String>,
    no_amounts: Option<String>,
    unit: Option<String>,
    decimals: Option<String>,
    dry_run: Option<String>,
}

/// Returns the options of a query, and `true` for a dry run.
pub(super) fn list_options(query: UploadQuery) -> Result<(ListOptions, bool), ApiError> {
    let UploadQuery {
        address_column,
        amount_column,
        no_amounts,
        unit,
        decimals,
        dry_run,
    } = query;
    let unit = match unit.as_deref() {
        None => None,
        Some("base") => Some(UnitName::Base),
        Some("tokens") => Some(UnitName::Tokens),
        Some(_) => return Err(ApiError::invalid("unit is base or tokens.")),
    };
    let decimals = decimals.map(|text| {
        text.parse()
            .ok()
            .filter(|decimals| *decimals <= MAX_AMOUNT_DECIMALS)
            .ok_or(())
    });
    let decimals = decimals.transpose().map_err(|()| {
        ApiError::invalid(format!(
            "decimals is the number of decimals of the token, 0 to {MAX_AMOUNT_DECIMALS}."
        ))
    })?;
    let has_no_amounts = flag("no_amounts", no_amounts.as_deref())?;
    let options = ListOptions {
        address_column,
        amount_column,
        has_no_amounts,
        unit,
        decimals,
        amount: None,
    };
    Ok((options, flag("dry_run", dry_run.as_deref())?))
}

fn flag(name: &str, value: Option<&str>) -> Result<bool, ApiError> {
    match value {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => Err(ApiError::invalid(format!("{name} is true or false."))),
    }
}

/// Returns a summary as the API has it.
pub(super) fn summary(summary: ListSummary) -> UploadSummary {
    let ListSummary {
        addresses,
        duplicates,
        without_amount,
        empty_lines,
        sum,
        decimals,
        columns,
    } = summary;
    let (amount_column, unit) = columns.amount.unzip();
    UploadSummary {
        addresses,
        duplicates,
        without_amount,
        empty_lines,
        sum_base_units: sum.map(|sum| sum.to_string()),
        sum_tokens: sum
            .zip(decimals)
            .map(|(sum, decimals)| sum.to_tokens(decimals)),
        decimals,
        unit: unit.map(|unit| match unit {
            snapshot::AmountUnit::Base => AmountUnit::Base,
            snapshot::AmountUnit::Tokens { .. } => AmountUnit::Tokens,
        }),
        address_column: columns.address,
        amount_column,
        ignored_columns: columns.ignored,
    }
}
