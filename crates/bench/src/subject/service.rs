//! The service as it is run, but for limits that no load reaches.

use super::BillableServer;
use super::lookups::address;
use crate::cleanup::{Cleanup, Process, ScratchDir};
use crate::clock::Stopwatch;
use crate::load::{PreparedRequests, TargetServer, run_closed_loop};
use crate::machine::{Cores, StorageLocation};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;
use voight_tests::http::{self, Response};
use voight_tests::server::{Server, TestAccount};
use voight_tests::{command, ports};

/// The client that asks.
const CLIENT: &str = "bench";
/// What no load reaches. The limits and the cap are in force all the same.
const LOOKUP_RATE: &str = "100000000";
const OTHER_RATE: &str = "4000000000";
const CAP: &str = "1000000000000";
/// How decisions are sent: on so many connections, and prepared so many at once.
const OPERATORS: usize = 64;
const AT_ONCE: usize = 50_000;
/// How long a store may take to open, and how often to look.
const START_TIMEOUT: Duration = Duration::from_mins(2);
const PAUSE: Duration = Duration::from_millis(1);

/// A running service on a store of its own, with a client, a key and a context.
pub(crate) struct Service {
    // Dropped in this order: the process ends before its files go.
    server: Server,
    process: Process,
    cores: Cores,
    ports: [u16; 2],
    token: String,
    account: TestAccount,
    folder: ScratchDir,
    shared: Option<SharedDatabase>,
}

/// The database that several processes of the service share.
#[derive(Debug, Clone)]
pub(crate) struct SharedDatabase {
    /// Where it is.
    pub(crate) url: String,
    /// The pepper that they share.
    pub(crate) pepper: String,
}

impl Service {
    /// Starts it in a new folder at this place, on the server's core.
    pub(crate) fn start(place: &StorageLocation, cores: Cores, cleanup: &Cleanup) -> Result<Self> {
        Self::start_on(None, place, cores, cleanup)
    }

    /// The same with its store in a database, if there is one.
    pub(crate) fn start_on(
        shared: Option<SharedDatabase>,
        place: &StorageLocation,
        cores: Cores,
        cleanup: &Cleanup,
    ) -> Result<Self> {
        let folder = place.folder(cleanup)?;
        let data_dir = folder.path().join("data");
        let ports = [ports::free(), ports::free()];
        let start = || Ok(Server::start_on(&data_dir, ports[0], ports[1], configure(shared.as_ref())));
        let server = cores.start_server(start)?;
        let process = cleanup.process(server.pid());
        let token = fs::read_to_string(data_dir.join("admin.token")).context("the service has no admin token")?;
        let account = server.account(CLIENT);
        command::json(&data_dir, &["client", "cap", CLIENT, CAP]);
        Ok(Self { server, process, cores, ports, token: format!("Bearer {}", token.trim()), account, folder, shared })
    }

    /// Ends it as a crash would, and starts it again on the same store; how long it took until it was ready, its start included.
    pub(crate) fn crash(&mut self, cleanup: &Cleanup) -> Result<Duration> {
        self.server.kill();
        let (data_dir, [public, admin]) = (self.data_dir(), self.ports);
        let watch = Stopwatch::start();
        let spawn = || Ok(Server::spawn_on(&data_dir, public, admin, configure(self.shared.as_ref())));
        self.server = self.cores.start_server(spawn)?;
        self.process = cleanup.process(self.server.pid());
        while !self.is_ready() {
            ensure!(watch.elapsed() < START_TIMEOUT, "the service is not ready {START_TIMEOUT:?} after a crash");
            thread::sleep(PAUSE);
        }
        Ok(watch.elapsed())
    }

    fn is_ready(&self) -> bool {
        http::get(&http::agent(), &self.admin_url("/readyz"), &[]).is_ok_and(|answer| answer.status == 200)
    }

    /// Stops it. Its store stays until this is dropped.
    pub(crate) fn stop(&mut self) -> Result<()> {
        let exit = self.server.stop();
        ensure!(exit == Some(0), "the service has ended with {exit:?}: {}", self.server.last_line());
        Ok(())
    }

    /// The port that clients ask at.
    pub(super) const fn port(&self) -> u16 {
        self.ports[0]
    }

    /// Its process.
    pub(crate) const fn process(&self) -> u32 {
        self.process.id
    }

    /// Its data directory.
    pub(crate) fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The folder around it.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Decides that the addresses of these numbers are bots, so that there are verdicts to read.
    pub(crate) fn decide(&self, numbers: Range<u64>) -> Result<()> {
        let body = r#"{"to":"bot","reason":"a benchmark"}"#;
        let (context, token, length) = (&self.account.context, &self.token, body.len());
        let admin = self.ports[1];
        let decision = |number| {
            format!(
                "POST /admin/v1/contexts/{context}/verdicts/{}/override HTTP/1.1\r\nhost: 127.0.0.1:{}\r\nauthorization: {token}\r\n\
                 content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}",
                address(number),
                admin
            )
        };
        for first in numbers.clone().step_by(AT_ONCE) {
            let last = numbers.end.min(first + AT_ONCE as u64);
            let decisions: Vec<_> = (first..last).map(decision).collect();
            run_closed_loop(
                TargetServer::alone(admin, self.process()),
                PreparedRequests::on(OPERATORS, &decisions),
                Duration::MAX,
            )?;
        }
        Ok(())
    }

    /// Registers one more context of its client, in which nothing has happened yet.
    pub(crate) fn another_context(&self) -> String {
        self.server.register(&self.account.key, "another")
    }

    /// `data` of what is at this path of the admin listener.
    pub(crate) fn read(&self, path: &str) -> Result<Value> {
        let answer = http::get(&http::agent(), &self.admin_url(path), &[("authorization", &self.token)])?;
        ensure_ok(path, &answer)?;
        Ok(answer.json()["data"].take())
    }

    /// Runs a command of the binary on its data directory, from the core of the load.
    pub(crate) fn command(&self, arguments: &[&str]) -> Result<Value> {
        let mut voight = command::voight(&self.data_dir());
        let output = voight.arg("--json").args(arguments).stdin(Stdio::null()).output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "voight {} has failed: {said}", arguments.join(" "));
        serde_json::from_slice(&output.stdout)
            .with_context(|| format!("voight {} has said no JSON", arguments.join(" ")))
    }

    fn admin_url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.ports[1])
    }
}

impl BillableServer for Service {
    fn target(&self) -> TargetServer {
        TargetServer::alone(self.port(), self.process())
    }

    fn account(&self) -> &TestAccount {
        &self.account
    }

    fn billable(&self) -> Result<u64> {
        self.read("/admin/v1/usage")?["clients"][0]["billable"].as_u64().context("usage names no number")
    }
}

fn ensure_ok(path: &str, answer: &Response) -> Result<()> {
    ensure!(answer.status == 200, "{path} is answered {}: {}", answer.status, answer.body);
    Ok(())
}

/// What each of its processes is told.
pub(super) fn configure(shared: Option<&SharedDatabase>) -> impl FnOnce(&mut Command) {
    let shared = shared.cloned();
    move |command| {
        command.env("VOIGHT__LIMITS__LOOKUP_PER_SECOND", LOOKUP_RATE).env("VOIGHT__LIMITS__LOOKUP_BURST", LOOKUP_RATE);
        for key in ["REGISTER_PER_MINUTE", "REGISTER_BURST", "CHECKS_PER_MINUTE", "CHECKS_REFUSED_PER_MINUTE"] {
            command.env(format!("VOIGHT__LIMITS__{key}"), OTHER_RATE);
        }
        if let Some(SharedDatabase { url, pepper }) = shared {
            command.arg("--store").arg(url).env("VOIGHT_PEPPER", pepper);
        }
    }
}
