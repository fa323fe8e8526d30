//! Citus cluster with the tables of a store.

use crate::cluster::nodes::Nodes;
use serde_json::Value;
use tempfile::TempDir;
use voight_tests::command;
use voight_tests::postgres::Citus;

/// Cluster, and service processes that use it.
pub(crate) struct Stage {
    pub(crate) citus: Citus,
    pub(crate) nodes: Nodes,
    pub(crate) spread: Value,
}

impl Stage {
    /// Starts a cluster whose nodes connect to the coordinator; `None` without an installation of Citus.
    pub(crate) fn on_coordinator(test: &str) -> Option<Self> {
        Self::with_url(test, |citus| citus.coordinator.url())
    }

    /// Starts a cluster whose nodes connect to the workers; `None` without an installation of Citus.
    pub(crate) fn on_workers(test: &str) -> Option<Self> {
        Self::with_url(test, Citus::workers_url)
    }

    fn with_url(test: &str, url: impl FnOnce(&Citus) -> String) -> Option<Self> {
        let citus = Citus::start_or_skip(test)?;
        let distribution = distribute(&citus);
        let nodes = Nodes::new(url(&citus));
        Some(Self {
            citus,
            nodes,
            spread: distribution,
        })
    }

    /// Returns the result of SQL on the coordinator.
    pub(crate) fn ask(&self, sql: &str) -> String {
        self.citus.coordinator.run(sql).expect("an answer")
    }
}

/// Creates and distributes the tables; returns the output of the command.
pub(crate) fn distribute(citus: &Citus) -> Value {
    let folder = TempDir::new().expect("a folder");
    command::json(
        folder.path(),
        &["store", "init", "--distributed", &citus.coordinator.url()],
    )
}
