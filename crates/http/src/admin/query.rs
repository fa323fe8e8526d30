//! The queries of lists.

use super::error::parsed;
use crate::error::ApiError;
use serde::Deserialize;

/// How many entries a page has unless told otherwise.
const LIMIT: usize = 100;
/// The longest page.
const LIMIT_MAX: usize = 1000;

/// The query of a list that is read page by page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PageQuery {
    /// The last entry of the page before.
    after: Option<String>,
    /// At most so many entries.
    limit: Option<String>,
}

/// The query of a list that may be narrowed to a client.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClientQuery {
    /// Its name or id; none means all.
    pub(super) client: Option<String>,
}

/// The query of a list of contexts, which may be narrowed to a client or to a key.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContextQuery {
    /// The client's name or id.
    pub(super) client: Option<String>,
    /// The key that they are tied to.
    pub(super) key: Option<String>,
}

/// The query of a draft of an invoice.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DraftQuery {
    /// The client, by name or id.
    pub(super) client: String,
    /// The month in which the period began, `2026-11`; the latest period without it.
    pub(super) period: Option<String>,
    /// `json` or `html`.
    pub(super) format: Option<String>,
}

/// The query of an invoice.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FormatQuery {
    /// `json` or `html`.
    pub(super) format: Option<String>,
}

impl PageQuery {
    /// The entry to start after, if there is one, and the number of entries.
    pub(super) fn page<K>(&self) -> Result<(Option<K>, usize), ApiError>
    where
        K: std::str::FromStr<Err: std::fmt::Display>,
    {
        let after = self.after.as_deref().map(|text| parsed("after", text)).transpose()?;
        let limit = self.limit.as_deref().map_or(Ok(LIMIT), |text| parsed("limit", text))?;
        if (1..=LIMIT_MAX).contains(&limit) {
            Ok((after, limit))
        } else {
            Err(ApiError::invalid(format!("limit is a number from 1 to {LIMIT_MAX}; the default is {LIMIT}.")))
        }
    }
}
