//! Installation for the tests of tools.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use voight_tests::command;
use voight_tests::server::Server;

/// Offline installation with lookups and a verdict.
pub(crate) struct StoreFixture {
    pub(crate) folder: TempDir,
    context: String,
}

impl StoreFixture {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut server = Server::start(&folder.path().join("data"));
        let account = server.account("acme");
        for number in 1..=30 {
            assert_eq!(
                server.look_up(&account, &format!("0x{number:040x}")).status,
                200
            );
        }
        let arguments = [
            "verdict",
            "override",
            "--context",
            &account.context,
            &address(1),
            "--to",
            "bot",
            "--reason",
            "x",
        ];
        command::json(server.data_dir(), &arguments);
        assert_eq!(server.stop(), Some(0), "{}", server.log());
        Self {
            folder,
            context: account.context,
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.path("data")
    }

    pub(crate) fn backup(&self) -> (PathBuf, Value) {
        let file = self.path("full.dump");
        let proof = command::json(&self.data(), &["store", "backup", "--out", text(&file)]);
        (file, proof)
    }

    /// Creates a data directory with the pepper in it.
    pub(crate) fn another(&self, name: &str) -> PathBuf {
        let other_dir = self.path(name);
        fs::create_dir(&other_dir).expect("a folder");
        fs::copy(self.data().join("pepper"), other_dir.join("pepper")).expect("the pepper");
        other_dir
    }

    /// Returns the state of the store that a client can observe.
    pub(crate) fn answers(&self, data_dir: &Path) -> [Value; 3] {
        let usage = command::json(data_dir, &["usage"]);
        let list = command::json(data_dir, &["verdict", "list", "--context", &self.context]);
        [usage, list, command::json(data_dir, &["client", "list"])]
    }
}

pub(crate) fn address(number: u8) -> String {
    format!("0x{number:040x}")
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}
