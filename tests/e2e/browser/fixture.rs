//! Fixture: a service with a client, and pages of its platform.

use crate::browser::quest::{Properties, QuestPage};
use crate::browser::wallet::Wallet;
use serde_json::{Value, json};
use tempfile::TempDir;
use voight_tests::http;
use voight_tests::server::{Server, TestAccount};

/// Fixture of a check, except for the visitor.
pub(crate) struct BrowserFixture {
    pub(crate) server: Server,
    pub(crate) account: TestAccount,
    _folder: TempDir,
}

impl BrowserFixture {
    /// Starts a new service with one client, one key and one context.
    pub(crate) fn set() -> Self {
        Self::with_client("acme")
    }

    /// Starts a new service whose only client has this name.
    pub(crate) fn with_client(name: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let server = Server::start(&folder.path().join("data"));
        let account = server.account(name);
        Self {
            server,
            account,
            _folder: folder,
        }
    }

    /// Returns the service's base URL, with a host name that makes it another site than the pages.
    pub(crate) fn service(&self) -> String {
        self.server.url().replace("127.0.0.1", "localhost")
    }

    /// Returns a page on which the owner of this address may claim a reward.
    pub(crate) fn quest(&self, eoa_address: &str) -> QuestPage {
        self.page(eoa_address, None, None)
    }

    /// Returns the page for a visitor for whom the platform's backend created a session.
    pub(crate) fn vouched_quest(&self, eoa_address: &str) -> QuestPage {
        let session = self.vouch(eoa_address);
        self.page(eoa_address, Some(session), None)
    }

    /// Returns the page in a browser with the visitor's wallet.
    pub(crate) fn wallet_quest(&self, wallet: &Wallet) -> QuestPage {
        self.page(&wallet.address(), None, Some(wallet.clone()))
    }

    /// Changes settings of the context.
    pub(crate) fn set_context(&self, settings: &[&str]) {
        voight_tests::command::json(
            self.server.data_dir(),
            &[&["context", "set", &self.account.context], settings].concat(),
        );
    }

    fn page(
        &self,
        eoa_address: &str,
        session: Option<String>,
        wallet: Option<Wallet>,
    ) -> QuestPage {
        QuestPage::open(&Properties {
            service: self.service(),
            eoa_address: eoa_address.to_owned(),
            context_id: self.account.context.clone(),
            session,
            wallet,
        })
    }

    fn vouch(&self, eoa_address: &str) -> String {
        let body = json!({ "context_id": self.account.context, "eoa_address": eoa_address });
        let answer = self.post(
            "/api/v1/sessions",
            &[("x-api-key", &self.account.key)],
            &body.to_string(),
        );
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()["data"]["session"]
            .as_str()
            .expect("a session token")
            .to_owned()
    }

    /// Sends JSON to the public listener.
    pub(crate) fn post(&self, path: &str, headers: &[(&str, &str)], body: &str) -> http::Response {
        let headers = [&[("content-type", "application/json")], headers].concat();
        http::post(
            &http::agent(),
            &format!("{}{path}", self.server.url()),
            &headers,
            body.as_bytes(),
        )
        .expect("the server answers")
    }

    /// Returns the platform's verdict on this address.
    pub(crate) fn verdict(&self, eoa_address: &str) -> Value {
        self.verdict_in(&self.account.context, eoa_address)
    }

    /// Returns the platform's verdict on this address in another context of its key.
    pub(crate) fn verdict_in(&self, context: &str, eoa_address: &str) -> Value {
        let account = TestAccount {
            context: context.to_owned(),
            ..self.account.clone()
        };
        let answer = self.server.look_up(&account, eoa_address);
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()["data"].clone()
    }

    /// Returns the operator's explanation of the verdict on this address.
    pub(crate) fn explain(&self, eoa_address: &str) -> String {
        let arguments = [
            "verdict",
            "explain",
            "--context",
            &self.account.context,
            eoa_address,
        ];
        let output = voight_tests::command::run(self.server.data_dir(), &arguments);
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}
