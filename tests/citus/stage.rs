//! A Citus with the tables of a store.

use crate::nodes::Nodes;
use serde_json::Value;
use tempfile::TempDir;
use voight_tests::command;
use voight_tests::postgres::Citus;

/// A cluster, and processes on it.
pub(crate) struct Stage {
    pub(crate) citus: Citus,
    pub(crate) nodes: Nodes,
    pub(crate) spread: Value,
}

impl Stage {
    /// With distributed tables, and nodes that connect to the coordinator; `None` where there is no Citus.
    pub(crate) fn on_coordinator(test: &str) -> Option<Self> {
        Self::over(test, |citus| citus.coordinator.url())
    }

    /// The same, with nodes that connect to the workers.
    pub(crate) fn on_workers(test: &str) -> Option<Self> {
        Self::over(test, Citus::workers_url)
    }

    fn over(test: &str, url: impl FnOnce(&Citus) -> String) -> Option<Self> {
        let citus = Citus::start_or_skip(test)?;
        let spread = distribute(&citus);
        let nodes = Nodes::new(url(&citus));
        Some(Self { citus, nodes, spread })
    }

    /// What this SQL finds, asked at the coordinator.
    pub(crate) fn ask(&self, sql: &str) -> String {
        self.citus.coordinator.run(sql).expect("an answer")
    }
}

/// Makes and spreads the tables, and returns what the command prints.
pub(crate) fn distribute(citus: &Citus) -> Value {
    let folder = TempDir::new().expect("a folder");
    command::json(folder.path(), &["store", "init", "--distributed", &citus.coordinator.url()])
}
