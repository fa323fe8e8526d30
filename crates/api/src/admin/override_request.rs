//! Override of a verdict by an operator.

use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::verdict;

/// Override of a verdict by an operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OverrideRequest {
    /// New verdict.
    pub verdict: OverrideTo,
    /// Reason, written to the audit log.
    pub reason: String,
}

wire_enum! {
    /// Verdict that an operator sets.
    OverrideTo = verdict::OverrideTo, "snake_case" {
        /// The address is not a bot; the new epoch starts without evidence.
        Human,
        /// The address is a bot.
        Bot,
    }
}
