//! Usage.

use super::{Limits, Money};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::{metering, registry, services};

/// Usage of the current period, or of a span of time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Usage {
    /// One line for each client.
    pub clients: Vec<UsageLine>,
}

/// A client's lookups in the period, or in the span.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UsageLine {
    /// The client.
    pub client_id: String,
    /// Its name.
    pub name: String,
    /// Billable lookups, free ones included.
    pub billable: u64,
    /// Those that the free allowance covers.
    pub free: u64,
    /// Those beyond it.
    pub paid: u64,
    /// Sandbox lookups, never billed.
    pub sandbox: u64,
    /// Where the client stands now; left out of the usage of a span.
    #[serde(flatten)]
    pub standing: Option<CurrentPeriod>,
}

/// Where a client stands in the current period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CurrentPeriod {
    /// Free lookups that are left of the allowance.
    pub allowance_left: u64,
    /// What the paid ones cost so far, before credits.
    pub spent: Money,
    /// The limits for each period.
    #[serde(flatten)]
    pub limits: Limits,
    /// The alerts of the period, and those of the allowance, in the order in which they were raised.
    pub alerts: Vec<Alert>,
}

/// An alert. It refuses nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Alert {
    /// What it is about and how many percent of that are used: `allowance.80`, `allowance.100`, `budget.80`, `budget.100`.
    pub alert: String,
    /// The sequence number of the lookup that raised it.
    pub seq: u64,
    /// When.
    pub at: String,
}

impl From<&services::ClientUsage> for UsageLine {
    fn from(line: &services::ClientUsage) -> Self {
        Self {
            client_id: line.client.id.to_string(),
            name: line.client.name.to_string(),
            billable: line.billable,
            free: line.free,
            paid: line.paid,
            sandbox: line.sandbox,
            standing: Some(CurrentPeriod {
                allowance_left: line.allowance_left,
                spent: line.spent.into(),
                limits: line.into(),
                alerts: line.alerts.iter().map(Alert::from).collect(),
            }),
        }
    }
}

impl UsageLine {
    /// A client's lookups in a span: live ones, and those of the sandbox.
    pub fn of_span(client: &registry::Client, live: metering::LookupCounts, sandbox: metering::LookupCounts) -> Self {
        Self {
            client_id: client.id.to_string(),
            name: client.name.to_string(),
            billable: live.billable,
            free: live.free,
            paid: live.charged(),
            sandbox: sandbox.billable,
            standing: None,
        }
    }
}

impl From<&metering::Alert> for Alert {
    fn from(alert: &metering::Alert) -> Self {
        Self { alert: alert.kind.as_str().to_owned(), seq: alert.seq, at: alert.at.to_string() }
    }
}
