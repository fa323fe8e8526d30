//! Date ranges in query strings.

use crate::error::ApiError;
use crate::state::AppState;
use serde::Deserialize;
use serde_json::{Value, json};
use voight_api::openapi::optional_query;
use voight_domain::metering::Period;

/// Pattern of a date or an RFC 3339 time. A pattern cannot exclude dates that do not exist.
const INSTANT: &str = concat!(
    "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])",
    "(?:T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2}))?$"
);

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
pub(crate) fn parse_date_range(state: &AppState, from: Option<&str>, to: Option<&str>) -> Result<Period, ApiError> {
    let span = state.services.ledgers.date_range(from, to);
    span.map_err(|error| ApiError::invalid(format!("{error}.")))
}

/// Returns the query parameters `from` and `to`.
pub(super) fn span_parameters() -> Vec<Value> {
    let instant = |example: &str| json!({ "type": "string", "pattern": INSTANT, "examples": [example] });
    let from = "The first instant: a date (its midnight, UTC) or an RFC 3339 time. By default the current period's.";
    let to = "The first instant that does not belong to it any more, 400 days after from at most. By default the current period's \
        end.";
    vec![optional_query("from", from, instant("2026-11-01")), optional_query("to", to, instant("2026-12-01T00:00:00Z"))]
}
