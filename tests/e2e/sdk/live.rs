//! Calls to the real service, in a sandbox.

use super::install::Installed;
use super::lossy_proxy;
use super::runner::Runner;
use super::vectors::{Vectors, difference, expand};
use crate::erase::check::ScriptedCheck;
use serde_json::{Value, json};
use std::process::Command;
use tempfile::TempDir;
use voight_tests::server::{Server, TestAccount};
use voight_tests::{command, http};

/// Address that is a human in the sandbox.
const HUMAN: &str = "0x1111111111111111111111111111111111111111";

/// Running service with a client.
pub(crate) struct Live {
    server: Server,
    _folder: TempDir,
}

impl Live {
    /// Starts the service.
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let server = Server::start(&folder.path().join("data"));
        Self {
            server,
            _folder: folder,
        }
    }

    fn account(&self, client: &str) -> TestAccount {
        command::json(self.server.data_dir(), &["client", "create", client]);
        self.server.key_and_context(client, &["--test"])
    }

    fn receipt(&self, account: &TestAccount) -> String {
        let answer =
            ScriptedCheck::open(&self.server, &account.context, HUMAN).complete(&self.server);
        answer.json()["data"]["receipt"]
            .as_str()
            .expect("a receipt")
            .to_owned()
    }

    /// Returns the number of rows of the client's ledger in the sandbox.
    fn ledger_rows(&self, account: &TestAccount) -> u64 {
        let url = format!("{}/api/v1/usage/head", self.server.url());
        let head = http::get(&http::agent(), &url, &[("x-api-key", &account.key)])
            .expect("the service answers");
        head.json()["data"]["seq"]
            .as_u64()
            .expect("a number of rows")
    }

    /// Runs the calls of the vectors one after the other, with a client of its own.
    pub(crate) fn run(&self, runner: &Runner, vectors: &Vectors, index: usize) {
        let account = self.account(&format!("client-{index}"));
        let mut values = vectors.values();
        values.insert("receipt".to_owned(), self.receipt(&account).into());
        values.insert("context".to_owned(), account.context.as_str().into());
        let mut running = runner.start();
        for step in vectors.live() {
            let step = expand(step, &values);
            let mut client = json!({"base_url": self.server.url(), "api_key": account.key});
            if step["lose_answer"] == true {
                client["base_url"] = lossy_proxy::start(&self.server.url()).into();
            }
            if let Some(other) = step["client"]["api_key"].as_str() {
                client["api_key"] = other.into();
            }
            let input = json!({"name": "live", "call": step["call"], "arguments": step["arguments"], "client": client, "repeat": 1});
            let added_rows = step["rows"].as_u64();
            // The head is read for these calls only, because reads are limited by a rate.
            let rows_before = added_rows.map(|_| self.ledger_rows(&account));
            let outcome = running.call(&input);
            if let Some(difference) = difference(&step["expect"], &outcome) {
                panic!("{}: {step}: {difference}\n{outcome}", runner.name);
            }
            if let (Some(rows), Some(rows_before)) = (added_rows, rows_before) {
                assert_eq!(
                    self.ledger_rows(&account) - rows_before,
                    rows,
                    "{}: {step}",
                    runner.name
                );
            }
            for (name, pointer) in step["save"].as_object().into_iter().flatten() {
                let saved_value = outcome["ok"]
                    .pointer(pointer.as_str().expect("a pointer"))
                    .expect("a value to save");
                values.insert(name.clone(), saved_value.clone());
            }
        }
        let usage = command::json(
            self.server.data_dir(),
            &["usage", "--client", &account.client],
        );
        let expected_usage: Value = json!({"clients": [{"billable": 0}]});
        assert_eq!(
            difference(&expected_usage, &usage),
            None,
            "a call in the sandbox was billed"
        );
    }

    /// Runs the block of the SDK's README with a receipt.
    pub(crate) fn run_block(&self, installed: &Installed) {
        let account = self.account("reader");
        let mut block: Command = (installed.block)(&self.server.url());
        let variables = [
            ("VOIGHT_URL", self.server.url()),
            ("VOIGHT_API_KEY", account.key.clone()),
            ("VOIGHT_CONTEXT", account.context.clone()),
            ("RECEIPT", self.receipt(&account)),
            ("ADDRESS", HUMAN.to_owned()),
        ];
        let output = block.envs(variables).output().expect("the program starts");
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{text}\n{errors}");
        assert!(
            text.to_lowercase().contains("human"),
            "the block prints no verdict: {text}\n{errors}"
        );
    }
}
