//! Wall clock.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::clock_guard::{self, ClockError};

/// Wall clock of the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Clock {
    /// Current time of the wall clock.
    pub shows: String,
    /// Reason why the clock is rejected; null if it is accepted.
    pub doubt: Option<String>,
}

/// Acknowledgement by an operator that the wall clock is right.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptTime {
    /// Reason, written to the audit log.
    #[serde(default)]
    pub reason: Option<String>,
}

/// Result of accepting the wall clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AcceptedTime {
    /// Time of the wall clock when it was accepted.
    pub at: String,
    /// Latest date that is no longer compared with the wall clock.
    pub set_aside: String,
    /// `true` if a ledger contains a row that is later than the wall clock.
    pub rows_wait: bool,
}

impl From<&clock_guard::AcknowledgedTime> for AcceptedTime {
    fn from(accepted: &clock_guard::AcknowledgedTime) -> Self {
        let clock_guard::AcknowledgedTime { at, ignore_until: set_aside } = accepted;
        Self { at: at.to_string(), set_aside: set_aside.to_string(), rows_wait: at < set_aside }
    }
}

/// Returns the text of a clock error with advice for the operator.
pub(crate) fn describe_with_advice(doubt: &ClockError) -> String {
    format!("{doubt}: nothing is answered until it is set right, or accepted by `voight doctor --accept-time`")
}
