//! Usage.

use serde::{Deserialize, Serialize};
use voight_domain::services;

/// Usage of the current period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// One line for each client.
    pub clients: Vec<UsageLine>,
}

/// A client's lookups in the period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
}

impl From<&services::UsageLine> for UsageLine {
    fn from(line: &services::UsageLine) -> Self {
        Self {
            client_id: line.client.id.to_string(),
            name: line.client.name.to_string(),
            billable: line.billable,
            free: line.free,
            paid: line.paid,
            sandbox: line.sandbox,
        }
    }
}
