//! Usage of clients.

use super::{Limits, Money};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::{metering, registry, services};

/// Usage of the current period, or of a date range.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Usage {
    /// One entry for each client.
    pub clients: Vec<UsageLine>,
}

/// Lookups of a client in the period or date range.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UsageLine {
    /// Client id.
    pub client_id: String,
    /// Client name.
    pub name: String,
    /// Billable lookups, including free ones.
    pub billable: u64,
    /// Lookups that the free allowance covers.
    pub free: u64,
    /// Lookups beyond the free allowance.
    pub charged: u64,
    /// Sandbox lookups, which are never billed.
    pub sandbox: u64,
    /// Allowance, cost and alerts of the current period; absent from the usage of a date range.
    #[serde(flatten)]
    pub current_period: Option<CurrentPeriod>,
}

/// Allowance, cost, limits and alerts of a client in the current period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CurrentPeriod {
    /// Free lookups that remain of the allowance.
    pub allowance_left: u64,
    /// Cost of the paid lookups so far, before credits.
    pub spent: Money,
    /// Limits for each period.
    #[serde(flatten)]
    pub limits: Limits,
    /// Alerts of the period and of the allowance, in the order in which they were raised.
    pub alerts: Vec<Alert>,
}

/// Alert. It does not reject any lookup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Alert {
    /// Threshold that was reached: `allowance.80`, `allowance.100`, `budget.80` or `budget.100`.
    pub alert: String,
    /// Sequence number of the lookup that raised the alert.
    pub seq: u64,
    /// Time of the alert.
    pub at: String,
}

impl From<&services::ClientUsage> for UsageLine {
    fn from(line: &services::ClientUsage) -> Self {
        Self {
            client_id: line.client.id.to_string(),
            name: line.client.name.to_string(),
            billable: line.billable,
            free: line.free,
            charged: line.paid,
            sandbox: line.sandbox,
            current_period: Some(CurrentPeriod {
                allowance_left: line.allowance_left,
                spent: line.spent.into(),
                limits: line.into(),
                alerts: line.alerts.iter().map(Alert::from).collect(),
            }),
        }
    }
}

impl UsageLine {
    /// Builds the entry of a client from its live and sandbox lookups in a date range.
    pub fn of_span(
        client: &registry::Client,
        live: metering::LookupCounts,
        sandbox: metering::LookupCounts,
    ) -> Self {
        Self {
            client_id: client.id.to_string(),
            name: client.name.to_string(),
            billable: live.billable,
            free: live.free,
            charged: live.charged(),
            sandbox: sandbox.billable,
            current_period: None,
        }
    }
}

impl From<&metering::Alert> for Alert {
    fn from(alert: &metering::Alert) -> Self {
        Self {
            alert: alert.kind.as_str().to_owned(),
            seq: alert.seq,
            at: alert.at.to_string(),
        }
    }
}
