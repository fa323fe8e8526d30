//! Limits on the usage of a client in a period.

use super::Money;
use super::change::{NullablePatch, present};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::services;

/// Limits of a client for each period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Limits {
    /// Hard cap in billable lookups. Lookups above it fail with 402.
    pub cap: Option<u64>,
    /// Hard cap in money. Lookups whose cost would exceed it fail with 402.
    pub money_cap: Option<Money>,
    /// Soft budget: alerts are raised at 80 % and 100 % of it; lookups are not rejected.
    pub budget: Option<Money>,
}

/// Change of limits. A member that is absent changes nothing; `null` removes a limit. Amounts are written `12.50`, or `12.50
/// USD`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitsPatch {
    /// Hard cap in billable lookups.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    #[schema(value_type = Option<u64>)]
    pub cap: Option<NullablePatch<u64>>,
    /// Hard cap in money.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    #[schema(value_type = Option<String>)]
    pub money_cap: Option<NullablePatch<String>>,
    /// Soft budget.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    #[schema(value_type = Option<String>)]
    pub budget: Option<NullablePatch<String>>,
}

impl From<&services::ClientUsage> for Limits {
    fn from(line: &services::ClientUsage) -> Self {
        Self {
            cap: line.cap,
            money_cap: line.money_cap.map(Money::from),
            budget: line.budget.map(Money::from),
        }
    }
}
