//! A running service with a customer, and the customer's page.

use crate::page::PageServer;
use anyhow::{Context, Result};
use serde_json::Value;
use tempfile::TempDir;
use voight_tests::server::{Server, TestAccount};

/// More addresses on a device than a family has sessions.
const SHARED: &str = "1000";

/// Everything that a session needs but its driver.
pub struct TestService {
    server: Server,
    account: TestAccount,
    /// The customer's page.
    pub site: PageServer,
    _folder: TempDir,
}

impl TestService {
    /// A new service with one client, on a store of its own. All sessions come from this machine, so its limits are off.
    pub fn set() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let config = folder.path().join("voight.toml");
        std::fs::write(&config, "[limits]\nenabled = false\n")?;
        let server = Server::start_with(&folder.path().join("data"), |command| {
            command.arg("--config").arg(&config);
        });
        let account = server.account("zoo");
        let site = PageServer::open(&service(&server))?;
        Ok(Self { server, account, site, _folder: folder })
    }

    /// The service's base URL, under a name that makes it another site than the page.
    pub fn service(&self) -> String {
        service(&self.server)
    }

    /// A context of its own for a family, whose visitors share this machine's device: that is reported, and none of them is more
    /// of a bot for coming after the others.
    pub fn context(&self, family: &str) -> String {
        let context = self.server.register(&self.account.key, family);
        voight_tests::command::json(self.server.data_dir(), &["context", "set", &context, "--device-limit", SHARED]);
        context
    }

    /// Whether the platform's backend reads that this address is a bot's.
    pub fn is_bot(&self, context: &str, address: &str) -> Result<bool> {
        let answer = self.answer(context, address)?;
        answer["isBot"].as_bool().with_context(|| format!("a lookup is answered {answer}"))
    }

    /// Answer to the platform's backend about this address.
    pub fn answer(&self, context: &str, address: &str) -> Result<Value> {
        let account = TestAccount { context: context.to_owned(), ..self.account.clone() };
        let answer = self.server.look_up(&account, address);
        answer.json().get("data").cloned().with_context(|| format!("a lookup is answered {}", answer.body))
    }

    /// Why, in the operator's document.
    pub fn explain(&self, context: &str, address: &str) -> Value {
        let arguments = ["verdict", "explain", "--context", context, address];
        voight_tests::command::json(self.server.data_dir(), &arguments)
    }
}

fn service(server: &Server) -> String {
    server.url().replace("127.0.0.1", "localhost")
}
