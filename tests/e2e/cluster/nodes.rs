//! Processes of one store, and their common configuration.

use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;
use voight_tests::command;
use voight_tests::postgres::Postgres;
use voight_tests::server::Server;

/// Pepper of all stores of these tests.
pub(crate) const PEPPER: &str = "1111111111111111111111111111111111111111111111111111111111111111";

/// Directory of processes that share a database.
pub(crate) struct Nodes {
    url: String,
    folder: TempDir,
}

impl Nodes {
    /// Creates the directory of processes on the database of this URL.
    pub(crate) fn new(url: String) -> Self {
        Self {
            url,
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    /// Returns the URL of the database.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the data directory of a node.
    pub(crate) fn data_dir(&self, node: &str) -> PathBuf {
        self.folder.path().join(node)
    }

    /// Applies the common configuration to a command.
    pub(crate) fn settle(&self, command: &mut Command) {
        command
            .arg("--store")
            .arg(&self.url)
            .env("VOIGHT_PEPPER", PEPPER)
            .env("VOIGHT__LIMITS__ENABLED", "false");
    }

    /// Starts a server with its own data directory.
    pub(crate) fn start(&self, node: &str) -> Server {
        Server::start_with(&self.data_dir(node), |command| self.settle(command))
    }

    /// Runs a command in the data directory of a node.
    pub(crate) fn run(&self, node: &str, arguments: &[&str]) -> Output {
        let mut command = command::voight(&self.data_dir(node));
        self.settle(&mut command);
        command.args(arguments).output().expect("the binary starts")
    }

    /// Verifies every ledger and the audit log, row by row.
    pub(crate) fn verify(&self, node: &str) {
        let output = self.run(node, &["audit", "verify"]);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// Processes on a schema of the shared test server.
pub(crate) struct OnSchema {
    server: Postgres,
    schema: String,
    pub(crate) nodes: Nodes,
}

impl OnSchema {
    pub(crate) fn new(name: &str) -> Self {
        let server = Postgres::shared().expect("a private server");
        let schema = format!("nodes_{name}_{}", std::process::id());
        let nodes = Nodes::new(server.schema(&schema).expect("a schema"));
        Self {
            server,
            schema,
            nodes,
        }
    }

    /// Returns the result of this SQL in the schema.
    pub(crate) fn query_text(&self, sql: &str) -> String {
        self.server
            .run(&format!("SET search_path = {}; {sql}", self.schema))
            .expect("an answer")
    }

    /// Returns an aggregate of the ledger.
    pub(crate) fn count(&self, what: &str) -> u64 {
        self.query_text(&format!("SELECT {what} FROM ledger"))
            .parse()
            .expect("a number")
    }
}
