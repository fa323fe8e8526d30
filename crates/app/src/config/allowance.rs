//! `[allowance]`: free allowance.

use super::enum_value;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use voight_domain::metering::AllowanceReset;

/// Free allowance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Allowance {
    /// Number of free billable lookups of each client.
    #[schemars(extend("x-unit" = "lookups"))]
    pub(crate) lookups: u64,
    /// Renewal of the allowance.
    #[serde(deserialize_with = "enum_value::deserialize")]
    pub(crate) reset: ResetRule,
}

/// Rule by which the free allowance is renewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ResetRule {
    /// The allowance is for the lifetime of a client.
    Never,
    /// The allowance is renewed with each billing period.
    Monthly,
}

impl Default for Allowance {
    fn default() -> Self {
        Self {
            lookups: 1_000,
            reset: ResetRule::Never,
        }
    }
}

impl From<ResetRule> for AllowanceReset {
    fn from(rule: ResetRule) -> Self {
        match rule {
            ResetRule::Never => Self::Never,
            ResetRule::Monthly => Self::Monthly,
        }
    }
}
