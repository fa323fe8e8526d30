//! Running server.

use crate::process::{self, Signal};
use crate::{command, http, ports};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const PAUSE: Duration = Duration::from_millis(50);

/// Server with its own free ports and data directory; killed when dropped.
pub struct Server {
    child: Child,
    data_dir: PathBuf,
    public: u16,
    admin: u16,
}

/// Client with a live key and a context, ready for lookups.
#[derive(Debug, Clone)]
pub struct TestAccount {
    /// Name of the client.
    pub client: String,
    /// API key of the client.
    pub key: String,
    /// Id of that key.
    pub key_id: String,
    /// Context that the key registered.
    pub context: String,
}

impl Server {
    /// Starts a server on a redb store in `data_dir`.
    pub fn start(data_dir: &Path) -> Self {
        Self::start_with(data_dir, |_| {})
    }

    /// Starts a server after `adjust` changed its command.
    pub fn start_with(data_dir: &Path, adjust: impl FnOnce(&mut Command)) -> Self {
        let public = ports::free();
        let admin = ports::free();
        Self::start_on(data_dir, public, admin, adjust)
    }

    /// Starts a server on these ports.
    pub fn start_on(
        data_dir: &Path,
        public: u16,
        admin: u16,
        adjust: impl FnOnce(&mut Command),
    ) -> Self {
        let mut server = Self::spawn_on(data_dir, public, admin, adjust);
        server.wait_until_ready();
        server
    }

    /// Starts a server on these ports without waiting until it is ready.
    pub fn spawn_on(
        data_dir: &Path,
        public: u16,
        admin: u16,
        adjust: impl FnOnce(&mut Command),
    ) -> Self {
        let mut command = command::voight(data_dir);
        command.args([
            "serve",
            "--listen",
            &format!("127.0.0.1:{public}"),
            "--admin-listen",
            &format!("127.0.0.1:{admin}"),
        ]);
        adjust(&mut command);
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(log_of(data_dir))
            .expect("a log file");
        command
            .stdout(Stdio::null())
            .stderr(log)
            .stdin(Stdio::null());
        let child = command.spawn().expect("the binary starts");
        Self {
            child,
            data_dir: data_dir.to_owned(),
            public,
            admin,
        }
    }

    /// Returns the base URL of the public API.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.public)
    }

    /// Returns the base URL of the admin listener.
    pub fn admin_url(&self) -> String {
        format!("http://127.0.0.1:{}", self.admin)
    }

    /// Returns the data directory.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// Returns the log.
    pub fn log(&self) -> String {
        std::fs::read_to_string(log_of(&self.data_dir)).unwrap_or_default()
    }

    /// Returns the process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Kills the server, as a crash would.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Stops the server and returns its exit code.
    pub fn stop(&mut self) -> Option<i32> {
        let _ = process::send(Signal::TERM, self.pid());
        self.child.wait().ok().and_then(|status| status.code())
    }

    /// Creates a client, a live key and a context by the command line and the public API.
    pub fn account(&self, name: &str) -> TestAccount {
        command::json(&self.data_dir, &["client", "create", name]);
        self.key_and_context(name, &[])
    }

    /// Issues another key of a client, with `arguments`, and registers a context with it.
    pub fn key_and_context(&self, client: &str, arguments: &[&str]) -> TestAccount {
        let new_key = command::json(
            &self.data_dir,
            &[&["key", "create", "--client", client], arguments].concat(),
        );
        let text = |member: &str| {
            new_key[member]
                .as_str()
                .unwrap_or_else(|| panic!("no {member} in {new_key}"))
                .to_owned()
        };
        let key = text("key");
        TestAccount {
            client: client.to_owned(),
            key_id: text("key_id"),
            context: self.register(&key, "spring"),
            key,
        }
    }

    /// Registers a context by the public API.
    pub fn register(&self, key: &str, title: &str) -> String {
        let url = format!("{}/api/v1/register/context_id", self.url());
        let body = format!(r#"{{"context_title":"{title}"}}"#);
        let headers = [("x-api-key", key), ("content-type", "application/json")];
        let response = http::post(&http::agent(), &url, &headers, body.as_bytes())
            .expect("the server answers");
        assert_eq!(response.status, 200, "{}", response.body);
        response.json()["data"]["context_id"]
            .as_str()
            .expect("a context id")
            .to_owned()
    }

    /// Looks up an address by the public API.
    pub fn look_up(&self, account: &TestAccount, address: &str) -> http::Response {
        let url = format!(
            "{}/api/v1/users/eoa?eoa_address={address}&context_id={}",
            self.url(),
            account.context
        );
        http::get(&http::agent(), &url, &[("x-api-key", &account.key)]).expect("the server answers")
    }

    /// Waits until the server has ended by itself, and returns its exit code; `None` after the timeout.
    pub fn ended(&mut self, within: Duration) -> Option<i32> {
        let mut wait_time = Duration::ZERO;
        while wait_time < within {
            if let Ok(Some(status)) = self.child.try_wait() {
                return status.code();
            }
            std::thread::sleep(PAUSE);
            wait_time += PAUSE;
        }
        panic!("the server has not ended after {within:?}:\n{}", self.log());
    }

    /// Returns `true` if the server has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_some())
    }

    /// Returns `true` if the server reports that it is ready.
    pub fn is_ready(&self) -> bool {
        let url = format!("{}/readyz", self.admin_url());
        http::get(&http::agent(), &url, &[]).is_ok_and(|response| response.status == 200)
    }

    /// Returns the last line of the log.
    pub fn last_line(&self) -> String {
        self.log()
            .lines()
            .next_back()
            .unwrap_or_default()
            .to_owned()
    }

    /// Waits until the server is ready, for at most ten seconds.
    pub fn wait_until_ready(&mut self) {
        self.wait_until("ready", |status| status == 200);
    }

    /// Waits until the server listens, ready or not, for at most ten seconds.
    pub fn wait_until_listening(&mut self) {
        self.wait_until("listening", |_| true);
    }

    fn wait_until(&mut self, what: &str, is_so: impl Fn(u16) -> bool) {
        let url = format!("{}/readyz", self.admin_url());
        for _ in 0..200 {
            if let Ok(response) = http::get(&http::agent(), &url, &[])
                && is_so(response.status)
            {
                return;
            }
            if let Ok(Some(status)) = self.child.try_wait() {
                panic!("the server ended at its start ({status}):\n{}", self.log());
            }
            std::thread::sleep(PAUSE);
        }
        panic!(
            "the server is not {what} after ten seconds:\n{}",
            self.log()
        );
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Returns the path of the log. It is beside the data directory, in which the service must not find foreign files.
fn log_of(data_dir: &Path) -> PathBuf {
    data_dir.with_extension("log")
}
