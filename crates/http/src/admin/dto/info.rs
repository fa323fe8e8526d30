//! What the service says of itself.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::ports::{self, Health};

/// The path under which the component's files are served.
const COMPONENT: &str = "sdk/";

/// What the service says of itself, for `doctor` and dashboards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Info {
    /// The version of the binary.
    pub version: String,
    /// The store.
    pub store: StoreInfo,
    /// The public base URL, where one is configured.
    pub public_url: Option<String>,
    /// The address of the public listener; absent where no server runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listen: Option<String>,
    /// The address of the admin listener; absent where no server runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub admin_listen: Option<String>,
    /// Contexts that any origin may host, because neither they nor their client list one; at most the first 100.
    pub unpinned_contexts: Vec<String>,
    /// Open contexts in which no active key can look up; at most the first 100.
    #[serde(default)]
    pub unreachable_contexts: Vec<Unreachable>,
    /// The limit of open files of the process; absent where no server runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_open_files: Option<u64>,
    /// The most connections of each of its threads.
    pub max_connections: usize,
    /// The most connections of a network.
    pub max_connections_per_network: usize,
    /// Whether a peer that is no trusted proxy has sent a forwarding header since the start.
    pub forwarding_header_from_untrusted_peer: bool,
    /// Clients with a period that is over and on no invoice; at most the first 100.
    pub uninvoiced: Vec<Uninvoiced>,
    /// The files of the component, with what a page pins them by.
    pub assets: Vec<AssetInfo>,
}

/// What a store says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StoreInfo {
    /// The kind of store.
    pub engine: String,
    /// Its identity.
    pub identity: String,
    /// The version of its record format.
    pub format: u32,
    /// When it was created.
    pub created_at: String,
    /// `ready`, or why it takes no writes.
    pub health: String,
}

/// A context in which no active key can look up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Unreachable {
    /// Its id.
    pub context_id: String,
    /// The key that it is tied to.
    pub key_id: String,
    /// The name of its client.
    pub client: String,
}

/// A client with a period that is over and on no invoice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Uninvoiced {
    /// Its name.
    pub client: String,
    /// When the first such period ended.
    pub since: String,
}

/// A file of the component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AssetInfo {
    /// Its path on the service.
    pub path: String,
    /// Its subresource-integrity value.
    pub integrity: String,
}

/// Whether the service takes traffic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReadyInfo {
    /// Whether it does.
    pub ready: bool,
    /// Whether some clients cannot be served, although the service may be ready for the others.
    #[serde(default)]
    pub degraded: bool,
    /// Percentage of clients that cannot be served.
    #[serde(default)]
    pub unreachable_percent: u8,
    /// Why not.
    pub reasons: Vec<String>,
    /// What an operator should look at, though traffic is taken.
    pub warnings: Vec<String>,
}

impl StoreInfo {
    /// What a store said.
    pub(crate) fn from_info(info: ports::StoreInfo, health: &Health) -> Self {
        Self {
            engine: info.engine,
            identity: info.identity,
            format: info.format,
            created_at: info.created_at.to_string(),
            health: unavailable_reason(health).unwrap_or_else(|| "ready".to_owned()),
        }
    }
}

/// Why a store takes no writes; `None` if it does.
pub(crate) fn unavailable_reason(health: &Health) -> Option<String> {
    match health {
        Health::Ready => None,
        Health::Degraded { percent, why } => Some(format!(
            "{percent} % of the clients cannot be served, because a machine of the store's cluster cannot be used ({why}); the others are served"
        )),
        Health::OutOfSpace => Some("the store has no space left: free some, reads go on meanwhile".to_owned()),
        Health::Unreachable(why) => {
            Some(format!("the store cannot be reached ({why}); the service is back when it is"))
        }
        Health::Failed(why) => Some(format!("the store has stopped ({why}); start the service again")),
    }
}

impl AssetInfo {
    /// The files of the component that this program serves.
    pub fn of_component() -> Vec<Self> {
        let files = voight_browser::assets().filter(|asset| asset.path.starts_with(COMPONENT));
        files.map(|asset| Self { path: format!("/{}", asset.path), integrity: asset.integrity.to_owned() }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_takes_no_writes_says_why_and_what_to_do() {
        assert_eq!(unavailable_reason(&Health::Ready), None);
        assert!(unavailable_reason(&Health::OutOfSpace).unwrap().contains("free some"));
        let away = unavailable_reason(&Health::Unreachable("connection refused".to_owned())).unwrap();
        assert!(away.contains("connection refused") && away.contains("the service is back when it is"));
        let degraded =
            unavailable_reason(&Health::Degraded { percent: 50, why: "w1:5432: it hangs".to_owned() }).unwrap();
        assert!(degraded.contains("50 % of the clients") && degraded.contains("w1:5432"), "{degraded}");
        let failed = unavailable_reason(&Health::Failed("the disk reported an error".to_owned())).unwrap();
        assert!(failed.contains("the disk reported an error") && failed.contains("start the service again"));
    }
}
