//! The wall clock.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::timekeeping::{self, ClockError};

/// The wall clock of the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Clock {
    /// What it shows.
    pub shows: String,
    /// Why it cannot be believed, if it cannot.
    pub doubt: Option<String>,
}

/// An operator's word that the wall clock is right.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptTime {
    /// Why; kept in the audit log.
    #[serde(default)]
    pub reason: Option<String>,
}

/// A time that was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AcceptedTime {
    /// What the wall clock showed.
    pub at: String,
    /// The latest date that no longer speaks against it.
    pub set_aside: String,
    /// Whether there is a row of a ledger that is later than the wall clock.
    pub rows_wait: bool,
}

impl From<&timekeeping::AcknowledgedTime> for AcceptedTime {
    fn from(accepted: &timekeeping::AcknowledgedTime) -> Self {
        let timekeeping::AcknowledgedTime { at, ignore_until: set_aside } = accepted;
        Self { at: at.to_string(), set_aside: set_aside.to_string(), rows_wait: at < set_aside }
    }
}

/// A doubt, with what an operator can do about it.
pub(crate) fn describe_with_advice(doubt: &ClockError) -> String {
    format!("{doubt}: nothing is answered until it is set right, or accepted by `voight doctor --accept-time`")
}
