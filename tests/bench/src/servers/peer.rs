//! Hand-written alternatives to the service: the programs in `peers/`, each with its database.

mod database;
mod kind;
mod promises;

pub(crate) use database::Database;
pub(crate) use kind::{Needs, PEERS, PeerKind};

use super::lookups::address;
use super::metered::BillableServer;
use super::program::Program;
use crate::cleanup::{Cleanup, ScratchDir};
use crate::load::TargetServer;
use crate::machine::{Cores, StorageLocation};
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::ops::Range;
use std::process::Stdio;
use std::rc::Rc;
use voight_tests::server::TestAccount;
use voight_tests::{http, ports, secret};

/// Log file of a peer's errors.
const LOG: &str = "peer.log";
/// API key of the one client, which the peer hashes.
const KEY: &str = "a-key-of-a-benchmark-0123456789abcdefghijkl";

/// Running peer with a client, a key and a context.
#[derive(Debug)]
pub(crate) struct Peer {
    // Fields are dropped in this order: the processes end before their files are removed.
    program: Program,
    database: Rc<Database>,
    port: u16,
    account: TestAccount,
    dir: ScratchDir,
}

impl Peer {
    /// Starts the peer and its database in a temporary directory, both on the server core.
    pub(crate) fn start(
        kind: &PeerKind,
        location: &StorageLocation,
        cores: Cores,
        cleanup: &Cleanup,
    ) -> Result<Self> {
        let dir = location.dir(cleanup)?;
        let database = Database::start(kind.needs, dir.path(), cores, cleanup)?;
        let environment = database.environment();
        Self::start_with(kind, Rc::new(database), environment, dir, cores, cleanup)
    }

    /// Starts the peer on a shared PostgreSQL server, with its own database.
    pub(crate) fn start_on(
        kind: &PeerKind,
        database: &Rc<Database>,
        location: &StorageLocation,
        cores: Cores,
        cleanup: &Cleanup,
    ) -> Result<Self> {
        let environment = database.environment_apart(kind.name)?;
        Self::start_with(
            kind,
            Rc::clone(database),
            environment,
            location.dir(cleanup)?,
            cores,
            cleanup,
        )
    }

    fn start_with(
        kind: &PeerKind,
        database: Rc<Database>,
        environment: Vec<(&'static str, String)>,
        dir: ScratchDir,
        cores: Cores,
        cleanup: &Cleanup,
    ) -> Result<Self> {
        let port = ports::free();
        let mut command = kind.command(dir.path())?;
        command
            .env("PORT", port.to_string())
            .env("PEPPER", secret::new()?)
            .env("KEY", KEY)
            .envs(environment);
        let log = dir.path().join(LOG);
        let file =
            File::create(&log).with_context(|| format!("{} cannot be written", log.display()))?;
        let mut program =
            Program::start(command.stdout(Stdio::null()).stderr(file), cores, cleanup)?;
        program
            .wait_for(port)
            .with_context(|| fs::read_to_string(&log).unwrap_or_default())?;
        let account = TestAccount {
            client: "bench".to_owned(),
            key: KEY.to_owned(),
            key_id: String::new(),
            context: call(
                port,
                "/api/v1/register/context_id",
                Some(&json!({"context_title": "bench"})),
            )?["context_id"]
                .as_str()
                .context("the peer returned no context")?
                .to_owned(),
        };
        Ok(Self {
            program,
            database,
            port,
            account,
            dir,
        })
    }

    /// Stores verdicts of bots on the addresses of these numbers, so that lookups read verdicts.
    pub(crate) fn seed_verdicts(&self, numbers: Range<u64>) -> Result<()> {
        let addresses: Vec<_> = numbers.map(address).collect();
        let actual = json!({"context_id": self.account.context, "addresses": addresses, "is_bot": true, "score": 0.93});
        call(self.port, "/api/v1/verdicts", Some(&actual)).map(drop)
    }

    /// Returns the errors that it has logged.
    pub(crate) fn complaints(&self) -> String {
        format!(
            "its log: {:?}",
            fs::read_to_string(self.dir.path().join(LOG)).unwrap_or_default()
        )
    }

    /// Verifies that the peer keeps the guarantees of the service, and stops it. Sequence numbers may have gaps afterwards.
    pub(crate) fn verify(self) -> Result<()> {
        promises::ensure_kept(&self).context("the run is void")
    }
}

impl BillableServer for Peer {
    fn target(&self) -> TargetServer {
        TargetServer::with_database(
            vec![(self.port, self.program.id())],
            self.database.process(),
        )
    }

    fn account(&self) -> &TestAccount {
        &self.account
    }

    fn billable(&self) -> Result<u64> {
        call(self.port, "/api/v1/usage", None)?["billable"]
            .as_u64()
            .context("the peer returned no number of rows")
    }
}

/// Returns `data` of the response at this path; with a body, the request is a POST.
fn call(port: u16, path: &str, body: Option<&Value>) -> Result<Value> {
    let url = format!("http://127.0.0.1:{port}{path}");
    let headers = [("x-api-key", KEY), ("content-type", "application/json")];
    let answer = match body {
        Some(body) => http::post(&http::agent(), &url, &headers, body.to_string().as_bytes())?,
        None => http::get(&http::agent(), &url, &headers[..1])?,
    };
    ensure!(
        answer.status == 200,
        "{path} returned {}: {}",
        answer.status,
        answer.body
    );
    Ok(answer.json()["data"].take())
}
