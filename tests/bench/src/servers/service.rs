//! Service as in production, except for limits that no load reaches.

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

/// Name of the client.
const CLIENT: &str = "bench";
/// Rate limit that no load reaches. The limits and the cap are in force.
const LOOKUP_RATE: &str = "100000000";
const OTHER_RATE: &str = "4000000000";
const CAP: &str = "1000000000000";
/// Connections for sending overrides, and number of overrides prepared at a time.
const OPERATORS: usize = 64;
const AT_ONCE: usize = 50_000;
/// Timeout for opening a store, and the polling interval.
const START_TIMEOUT: Duration = Duration::from_mins(2);
const PAUSE: Duration = Duration::from_millis(1);

/// Running service on its own store, with a client, a key and a context.
pub(crate) struct Service {
    // Fields are dropped in this order: the process ends before its files are removed.
    server: Server,
    process: Process,
    cores: Cores,
    ports: [u16; 2],
    token: String,
    account: TestAccount,
    dir: ScratchDir,
    shared: Option<SharedDatabase>,
}

/// Database that several processes of the service share.
#[derive(Debug, Clone)]
pub(crate) struct SharedDatabase {
    /// URL of the database.
    pub(crate) url: String,
    /// Pepper that the processes share.
    pub(crate) pepper: String,
}

impl Service {
    /// Starts the service in a temporary directory, on the server core.
    pub(crate) fn start(
        location: &StorageLocation,
        cores: Cores,
        cleanup: &Cleanup,
    ) -> Result<Self> {
        Self::start_on(None, location, cores, cleanup)
    }

    /// Starts the service like [`start`](Self::start), with its store in the shared database, if any.
    pub(crate) fn start_on(
        shared: Option<SharedDatabase>,
        location: &StorageLocation,
        cores: Cores,
        cleanup: &Cleanup,
    ) -> Result<Self> {
        let dir = location.dir(cleanup)?;
        let data_dir = dir.path().join("data");
        let ports = [ports::free(), ports::free()];
        let start = || {
            Ok(Server::start_on(
                &data_dir,
                ports[0],
                ports[1],
                configure(shared.as_ref()),
            ))
        };
        let server = cores.start_server(start)?;
        let process = cleanup.process(server.pid());
        let token = fs::read_to_string(data_dir.join("admin.token"))
            .context("the service has no admin token")?;
        let account = server.account(CLIENT);
        command::json(&data_dir, &["client", "cap", CLIENT, CAP]);
        Ok(Self {
            server,
            process,
            cores,
            ports,
            token: format!("Bearer {}", token.trim()),
            account,
            dir,
            shared,
        })
    }

    /// Kills the service and restarts it on the same store.
    ///
    /// Returns the time from the start of the new process until it is ready.
    pub(crate) fn crash(&mut self, cleanup: &Cleanup) -> Result<Duration> {
        self.server.kill();
        let data_dir = self.data_dir();
        let [public, admin] = self.ports;
        let stopwatch = Stopwatch::start();
        let spawn = || {
            Ok(Server::spawn_on(
                &data_dir,
                public,
                admin,
                configure(self.shared.as_ref()),
            ))
        };
        self.server = self.cores.start_server(spawn)?;
        self.process = cleanup.process(self.server.pid());
        while !self.is_ready() {
            ensure!(
                stopwatch.elapsed() < START_TIMEOUT,
                "timeout: the service is not ready {START_TIMEOUT:?} after a crash"
            );
            thread::sleep(PAUSE);
        }
        Ok(stopwatch.elapsed())
    }

    fn is_ready(&self) -> bool {
        http::get(&http::agent(), &self.admin_url("/readyz"), &[])
            .is_ok_and(|answer| answer.status == 200)
    }

    /// Stops the service. Its store is kept until this is dropped.
    pub(crate) fn stop(&mut self) -> Result<()> {
        let exit = self.server.stop();
        ensure!(
            exit == Some(0),
            "the service exited with {exit:?}: {}",
            self.server.last_line()
        );
        Ok(())
    }

    /// Creates another client with a key and a context.
    pub(super) fn another_account(&self, name: &str) -> TestAccount {
        self.server.account(name)
    }

    /// Returns the port of the public API.
    pub(super) const fn port(&self) -> u16 {
        self.ports[0]
    }

    /// Returns its process id.
    pub(crate) const fn process(&self) -> u32 {
        self.process.id
    }

    /// Returns its data directory.
    pub(crate) fn data_dir(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// Returns the parent of the data directory.
    pub(crate) fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Sets verdicts of bots on the addresses of these numbers, so that lookups read verdicts.
    pub(crate) fn seed_verdicts(&self, numbers: Range<u64>) -> Result<()> {
        let body = r#"{"verdict":"bot","reason":"a benchmark"}"#;
        let context = &self.account.context;
        let token = &self.token;
        let length = body.len();
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
                PreparedRequests::distribute(OPERATORS, &decisions),
                Duration::MAX,
            )?;
        }
        Ok(())
    }

    /// Registers another, empty context of its client.
    pub(crate) fn another_context(&self) -> String {
        self.server.register(&self.account.key, "another")
    }

    /// Returns `data` at this path of the admin listener.
    pub(crate) fn read(&self, path: &str) -> Result<Value> {
        let answer = http::get(
            &http::agent(),
            &self.admin_url(path),
            &[("authorization", &self.token)],
        )?;
        ensure_ok(path, &answer)?;
        Ok(answer.json()["data"].take())
    }

    /// Runs a command of the binary on its data directory, on the load core.
    pub(crate) fn command(&self, arguments: &[&str]) -> Result<Value> {
        let mut voight = command::voight(&self.data_dir());
        let output = voight
            .arg("--json")
            .args(arguments)
            .stdin(Stdio::null())
            .output()?;
        let document = String::from_utf8_lossy(&output.stderr);
        ensure!(
            output.status.success(),
            "voight {} failed: {document}",
            arguments.join(" ")
        );
        serde_json::from_slice(&output.stdout)
            .with_context(|| format!("voight {} printed no JSON", arguments.join(" ")))
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
        self.read("/admin/v1/usage")?["clients"][0]["billable"]
            .as_u64()
            .context("usage contains no number")
    }
}

fn ensure_ok(path: &str, answer: &Response) -> Result<()> {
    ensure!(
        answer.status == 200,
        "{path} returned {}: {}",
        answer.status,
        answer.body
    );
    Ok(())
}

/// Returns the configuration of its processes.
pub(super) fn configure(shared: Option<&SharedDatabase>) -> impl FnOnce(&mut Command) {
    let shared_database = shared.cloned();
    move |command| {
        command
            .env("VOIGHT__LIMITS__LOOKUPS_PER_SECOND", LOOKUP_RATE)
            .env("VOIGHT__LIMITS__LOOKUP_BURST", LOOKUP_RATE);
        for key in [
            "REGISTRATIONS_PER_MINUTE",
            "REGISTRATION_BURST",
            "CHECKS_PER_MINUTE",
            "MAX_CHECKS_PER_MINUTE",
        ] {
            command.env(format!("VOIGHT__LIMITS__{key}"), OTHER_RATE);
        }
        if let Some(SharedDatabase { url, pepper }) = shared_database {
            command.arg("--store").arg(url).env("VOIGHT_PEPPER", pepper);
        }
    }
}
