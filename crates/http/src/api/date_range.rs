//! Date ranges in query strings.

use crate::error::ApiError;
use crate::state::AppState;
use serde::Deserialize;
use voight_domain::metering::Period;

/// Query parameters `from` and `to`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DateRangeQuery {
    from: Option<String>,
    to: Option<String>,
}

impl DateRangeQuery {
    /// Returns the date range of the query.
    pub(super) fn span(&self, state: &AppState) -> Result<Period, ApiError> {
        parse_date_range(state, self.from.as_deref(), self.to.as_deref())
    }
}

/// Parses a date range. An invalid one is a 400 whose message describes valid ones.
pub(crate) fn parse_date_range(
    state: &AppState,
    from: Option<&str>,
    to: Option<&str>,
) -> Result<Period, ApiError> {
    let span = state.services.ledgers.date_range(from, to);
    span.map_err(|error| ApiError::invalid(format!("{error}.")))
}
