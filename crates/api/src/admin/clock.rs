//! Wall clock.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::clock_guard::{self, ClockError};

/// Wall clock of the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Clock {
    /// Current time of the wall clock.
    pub now: String,
    /// Reason why the clock is rejected; null if it is accepted.
    pub error: Option<String>,
}

/// Acknowledgement by an operator that the wall clock is right.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AcknowledgeClock {
    /// Reason, written to the audit log.
    #[serde(default)]
    pub reason: Option<String>,
}

/// Result of accepting the wall clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AcknowledgedClock {
    /// Time of the wall clock when it was accepted.
    pub at: String,
    /// Latest date that is no longer compared with the wall clock.
    pub ignore_until: String,
    /// `true` if a ledger contains a row that is later than the wall clock.
    pub has_future_rows: bool,
}

impl From<&clock_guard::AcknowledgedTime> for AcknowledgedClock {
    fn from(time: &clock_guard::AcknowledgedTime) -> Self {
        let clock_guard::AcknowledgedTime { at, ignore_until } = time;
        Self {
            at: at.to_string(),
            ignore_until: ignore_until.to_string(),
            has_future_rows: at < ignore_until,
        }
    }
}

/// Returns the text of a clock error with advice for the operator.
pub fn describe_with_advice(error: &ClockError) -> String {
    format!(
        "{error}: nothing is answered until the clock is corrected or acknowledged with `voight doctor --acknowledge-clock`"
    )
}
