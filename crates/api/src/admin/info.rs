//! Information about the service.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::ports::{self, Health};

/// Information about the service, for `doctor` and dashboards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Info {
    /// Version of the binary.
    pub version: String,
    /// The store.
    pub store: StoreInfo,
    /// Public base URL, if one is configured.
    pub public_url: Option<String>,
    /// Address of the public listener; absent if no server is running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listen: Option<String>,
    /// Address of the admin listener; absent if no server is running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub admin_listen: Option<String>,
    /// Contexts whose checks any origin may host, because neither they nor their client list one; at most 100.
    pub contexts_without_origins: Vec<String>,
    /// Open contexts in which no active key can look up; at most 100.
    #[serde(default)]
    pub unreachable_contexts: Vec<Unreachable>,
    /// Limit of open files of the process; absent if no server is running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_open_files: Option<u64>,
    /// Maximum number of connections of each worker thread.
    pub max_connections: usize,
    /// Maximum number of connections of one network.
    pub max_connections_per_network: usize,
    /// `true` if a peer that is not a trusted proxy has sent a forwarding header since the start.
    pub forwarding_header_from_untrusted_peer: bool,
    /// Clients with a completed period that has no invoice; at most 100.
    pub uninvoiced: Vec<Uninvoiced>,
    /// Files of the component, with their subresource-integrity values.
    pub assets: Vec<AssetInfo>,
}

/// Information about the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StoreInfo {
    /// Name of the storage engine.
    pub engine: String,
    /// Identity of the store.
    pub identity: String,
    /// Version of the record format.
    pub format: u32,
    /// Time of creation.
    pub created_at: String,
    /// Status: `ready`, or the reason why the store rejects writes.
    pub health: String,
}

/// Context in which no active key can look up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Unreachable {
    /// Context id.
    pub context_id: String,
    /// Key to which the context is assigned.
    pub key_id: String,
    /// Client name.
    pub client: String,
}

/// Client with a completed period that has no invoice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Uninvoiced {
    /// Client name.
    pub client: String,
    /// End of the first such period.
    pub period_ended_at: String,
}

/// File of the component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AssetInfo {
    /// Path of the file on the service.
    pub path: String,
    /// Subresource-integrity value.
    pub integrity: String,
}

/// Readiness of the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReadyInfo {
    /// `true` if the service accepts traffic.
    pub ready: bool,
    /// `true` if some clients cannot be served, although the service may be ready for the others.
    #[serde(default)]
    pub degraded: bool,
    /// Percentage of clients that cannot be served.
    #[serde(default)]
    pub unreachable_percent: u8,
    /// Reasons why the service does not accept traffic.
    pub reasons: Vec<String>,
    /// Warnings for the operator that do not affect readiness.
    pub warnings: Vec<String>,
}

impl StoreInfo {
    /// Builds the description of a store from its information and health.
    pub fn from_info(info: ports::StoreInfo, health: &Health) -> Self {
        Self {
            engine: info.engine,
            identity: info.identity,
            format: info.format,
            created_at: info.created_at.to_string(),
            health: unavailable_reason(health).unwrap_or_else(|| "ready".to_owned()),
        }
    }
}

/// Returns the reason why a store rejects writes, or `None` if it accepts them.
pub fn unavailable_reason(health: &Health) -> Option<String> {
    match health {
        Health::Ready => None,
        Health::Degraded { percent, why } => Some(format!(
            "{percent} % of the clients cannot be served, because a machine of the store's cluster cannot be used ({why}); the others are served"
        )),
        Health::OutOfSpace => {
            Some("the disk is full: free some space; reads continue meanwhile".to_owned())
        }
        Health::Unreachable(why) => Some(format!(
            "the store is unreachable ({why}); the service recovers when the store does"
        )),
        Health::Failed(why) => Some(format!(
            "the store has stopped ({why}); start the service again"
        )),
    }
}

impl AssetInfo {
    /// Builds the entry of a file at `path`, which has no leading slash.
    pub fn new(path: &str, integrity: &str) -> Self {
        Self {
            path: format!("/{path}"),
            integrity: integrity.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unavailable_store_reports_cause_and_remedy() {
        assert_eq!(unavailable_reason(&Health::Ready), None);
        assert!(
            unavailable_reason(&Health::OutOfSpace)
                .unwrap()
                .contains("free some")
        );
        let unreachable =
            unavailable_reason(&Health::Unreachable("connection refused".to_owned())).unwrap();
        assert!(
            unreachable.contains("connection refused")
                && unreachable.contains("the service recovers when the store does")
        );
        let degraded_reason = unavailable_reason(&Health::Degraded {
            percent: 50,
            why: "w1:5432: it hangs".to_owned(),
        })
        .unwrap();
        assert!(
            degraded_reason.contains("50 % of the clients") && degraded_reason.contains("w1:5432"),
            "{degraded_reason}"
        );
        let failure_reason =
            unavailable_reason(&Health::Failed("the disk reported an error".to_owned())).unwrap();
        assert!(
            failure_reason.contains("the disk reported an error")
                && failure_reason.contains("start the service again")
        );
    }
}
