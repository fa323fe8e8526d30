//! Limits of what a client may use in a period.

use super::Money;
use super::change::{NullablePatch, present};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::services;

/// A client's limits for each period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Limits {
    /// The hard cap in billable lookups; what is beyond it answers 402.
    pub cap: Option<u64>,
    /// The hard cap in money; what would cost more answers 402.
    pub money_cap: Option<Money>,
    /// The budget: alerts are raised at 80 % and 100 % of it, and lookups go on.
    pub budget: Option<Money>,
}

/// A change of limits: only the members that are there change something, and `null` takes a limit away. Amounts are written
/// `12.50`, or `12.50 USD`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitsPatch {
    /// The hard cap in billable lookups.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[schema(value_type = Option<u64>)]
    pub cap: Option<NullablePatch<u64>>,
    /// The hard cap in money.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    pub money_cap: Option<NullablePatch<String>>,
    /// The budget.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    pub budget: Option<NullablePatch<String>>,
}

impl From<&services::ClientUsage> for Limits {
    fn from(line: &services::ClientUsage) -> Self {
        Self { cap: line.cap, money_cap: line.money_cap.map(Money::from), budget: line.budget.map(Money::from) }
    }
}
