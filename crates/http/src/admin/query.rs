//! Query parameters of lists.

use super::error::parsed;
use crate::error::ApiError;
use serde::Deserialize;
use std::fmt::Display;
use std::str::FromStr;

/// Default number of entries in a page.
const LIMIT: usize = 100;
/// Maximum number of entries in a page.
const LIMIT_MAX: usize = 1000;

/// Query of a paginated list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PageQuery {
    /// Last entry of the previous page.
    after: Option<String>,
    /// Maximum number of entries.
    limit: Option<String>,
}

/// Query of a search for the verdicts on an address.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AddressQuery {
    /// The address.
    pub(super) address: String,
    /// Last entry of the previous page.
    pub(super) after: Option<String>,
    /// Maximum number of entries.
    pub(super) limit: Option<String>,
}

/// Query of a list with a filter by client.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClientQuery {
    /// Client name or id; all clients if absent.
    pub(super) client: Option<String>,
}

/// Query of a list of contexts with a filter by client or key.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContextQuery {
    /// Client name or id.
    pub(super) client: Option<String>,
    /// Key to which the contexts are assigned.
    pub(super) key: Option<String>,
}

/// Query of a draft invoice.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DraftQuery {
    /// Client name or id.
    pub(super) client: String,
    /// Month in which the period began, for example `2026-11`; the latest period if absent.
    pub(super) period: Option<String>,
    /// Format: `json` or `html`.
    pub(super) format: Option<String>,
}

/// Query of an invoice.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FormatQuery {
    /// Format: `json` or `html`.
    pub(super) format: Option<String>,
}

impl PageQuery {
    /// Returns the entry after which the page starts, if any, and the number of entries.
    pub(super) fn page<K>(&self) -> Result<(Option<K>, usize), ApiError>
    where
        K: FromStr<Err: Display>,
    {
        parse_page(self.after.as_deref(), self.limit.as_deref())
    }
}

/// Parses the entry after which a page starts, if any, and the number of entries.
pub(super) fn parse_page<K>(
    after: Option<&str>,
    limit: Option<&str>,
) -> Result<(Option<K>, usize), ApiError>
where
    K: FromStr<Err: Display>,
{
    let cursor = after.map(|text| parsed("after", text)).transpose()?;
    let limit = limit.map_or(Ok(LIMIT), |text| parsed("limit", text))?;
    if (1..=LIMIT_MAX).contains(&limit) {
        Ok((cursor, limit))
    } else {
        Err(ApiError::invalid(format!(
            "limit is a number from 1 to {LIMIT_MAX}; the default is {LIMIT}."
        )))
    }
}
