//! Fixture: a running service with a client, and the platform's page.

use crate::page::PageServer;
use anyhow::{Context, Result};
use serde_json::Value;
use tempfile::TempDir;
use voight_tests::server::{Server, TestAccount};

/// Device limit above the number of sessions of a family.
const SHARED: &str = "1000";

/// Fixture of a session, except for its driver.
pub struct TestService {
    server: Server,
    account: TestAccount,
    /// Platform's page.
    pub site: PageServer,
    _dir: TempDir,
}

impl TestService {
    /// Starts a new service with one client and its own store. Limits are off, because all sessions come from this machine.
    pub fn start() -> Result<Self> {
        let dir = tempfile::tempdir()?;
        let config = dir.path().join("voight.toml");
        std::fs::write(&config, "[limits]\nenabled = false\n")?;
        let server = Server::start_with(&dir.path().join("data"), |command| {
            command.arg("--config").arg(&config);
        });
        let account = server.account("bots");
        let site = PageServer::open(&service(&server))?;
        Ok(Self {
            server,
            account,
            site,
            _dir: dir,
        })
    }

    /// Returns the service's base URL, under a host name that makes it another site than the page.
    pub fn service(&self) -> String {
        service(&self.server)
    }

    /// Creates a context for a family, whose visitors share this machine's device.
    ///
    /// The device limit is raised, so that sharing is reported without being evidence for a bot.
    pub fn context(&self, family: &str) -> String {
        let context = self.server.register(&self.account.key, family);
        voight_tests::command::json(
            self.server.data_dir(),
            &["context", "set", &context, "--device-limit", SHARED],
        );
        context
    }

    /// Returns `true` if the platform's lookup returns a bot for this address.
    pub fn is_bot(&self, context: &str, address: &str) -> Result<bool> {
        let response = self.response(context, address)?;
        response["isBot"]
            .as_bool()
            .with_context(|| format!("unexpected response to a lookup: {response}"))
    }

    /// Returns the response to the platform's lookup of this address.
    pub fn response(&self, context: &str, address: &str) -> Result<Value> {
        let account = TestAccount {
            context: context.to_owned(),
            ..self.account.clone()
        };
        let response = self.server.look_up(&account, address);
        response
            .json()
            .get("data")
            .cloned()
            .with_context(|| format!("unexpected response to a lookup: {}", response.body))
    }

    /// Returns the operator's explanation of the verdict.
    pub fn explain(&self, context: &str, address: &str) -> Value {
        let arguments = ["verdict", "explain", "--context", context, address];
        voight_tests::command::json(self.server.data_dir(), &arguments)
    }
}

fn service(server: &Server) -> String {
    server.url().replace("127.0.0.1", "localhost")
}
