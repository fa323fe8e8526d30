//! Server under attack, with the users who must not notice it.

use super::stranger::{ask, network};
use serde_json::json;
use std::net::Ipv4Addr;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tempfile::TempDir;
use voight_tests::server::{Server, TestAccount};
use voight_tests::skip::skipped;

const ADDRESS: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const ORIGIN: &str = "https://quest.example";
/// Interval of two requests of an unaffected user.
const PAUSE: Duration = Duration::from_millis(30);
/// Number of file descriptors of a test in addition to the connections of an attack.
const MORE: usize = 500;

/// Server with the default limits except for rate limits, which would reject a part of an attack.
pub(crate) struct Scene {
    pub(crate) server: Server,
    /// Client that must not be affected.
    pub(crate) account: TestAccount,
    _folder: TempDir,
}

/// Client, visitor and supervisor during an attack.
pub(crate) struct Watch<'a> {
    scene: &'a Scene,
    stop: Arc<AtomicBool>,
    watching: Vec<JoinHandle<Seen>>,
}

/// Responses to one of them.
struct Seen {
    who: &'static str,
    asked: usize,
    failed: Vec<String>,
}

impl Scene {
    /// Starts the server after `adjust` changed its command.
    pub(crate) fn start(adjust: impl FnOnce(&mut Command)) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let server = Server::start_with(&folder.path().join("data"), |command| {
            command.env("VOIGHT__LIMITS__ENABLED", "false");
            adjust(command);
        });
        let account = server.account("polite");
        Self {
            server,
            account,
            _folder: folder,
        }
    }

    /// Returns the port of the public listener.
    pub(crate) fn port(&self) -> u16 {
        port_of(&self.server.url())
    }

    /// Starts three users that send requests repeatedly.
    ///
    /// A client looks up, a visitor of a network without attackers uses the window, and a supervisor queries the readiness.
    pub(crate) fn watch(&self) -> Watch<'_> {
        let public = self.port();
        let admin = port_of(&self.server.admin_url());
        let TestAccount { key, context, .. } = &self.account;
        let lookup = get(
            &format!("/api/v1/users/eoa?eoa_address={ADDRESS}&context_id={context}"),
            &format!("x-api-key: {key}\r\n"),
        );
        let check =
            json!({"context": context, "address": ADDRESS, "origin": ORIGIN, "originSite": ORIGIN})
                .to_string();
        let visit = vec![
            get(&format!("/window/v1?context={context}&origin={ORIGIN}"), ""),
            get("/window/v1/window.js", ""),
            get("/sdk/v1/voight.js", ""),
            get("/.well-known/voight-keys.json", ""),
            get("/openapi.json", ""),
            format!(
                "POST /window/v1/checks HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
                 content-length: {}\r\n\r\n{check}",
                check.len()
            ),
        ];
        let ready = get("/readyz", "").replace("host: x", &format!("host: 127.0.0.1:{admin}"));
        let stop = Arc::new(AtomicBool::new(false));
        let watching = vec![
            watch("the client", network(2), public, vec![lookup], &stop),
            watch("the visitor", network(3), public, visit, &stop),
            watch(
                "the supervisor",
                Ipv4Addr::LOCALHOST,
                admin,
                vec![ready],
                &stop,
            ),
        ];
        Watch {
            scene: self,
            stop,
            watching,
        }
    }
}

impl Watch<'_> {
    /// Continues for `longer`. Fails unless every response was a success and the server still runs.
    pub(crate) fn verdict(self, longer: Duration) {
        thread::sleep(longer);
        self.stop.store(true, Ordering::SeqCst);
        for watching in self.watching {
            let Seen { who, asked, failed } = watching.join().expect("no panic");
            let count = failed.len();
            let log = self.scene.server.log();
            assert!(
                failed.is_empty(),
                "{count} of {asked} requests of {who} failed, first: {}\n{log}",
                failed[0]
            );
            assert!(asked > 0, "{who} asked nothing");
        }
    }
}

fn watch(
    who: &'static str,
    source: Ipv4Addr,
    port: u16,
    requests: Vec<String>,
    stop: &Arc<AtomicBool>,
) -> JoinHandle<Seen> {
    let stop = Arc::clone(stop);
    thread::spawn(move || {
        let mut observed_answers = Seen {
            who,
            asked: 0,
            failed: Vec::new(),
        };
        for request in requests.iter().cycle() {
            observed_answers.asked += 1;
            let line = request.lines().next().unwrap_or_default();
            match ask(source, port, request) {
                Ok(answer) if answer.status == 200 => {}
                Ok(answer) => observed_answers.failed.push(format!("{line}: {answer:?}")),
                Err(error) => observed_answers.failed.push(format!("{line}: {error}")),
            }
            if stop.load(Ordering::SeqCst) {
                break;
            }
            thread::sleep(PAUSE);
        }
        observed_answers
    })
}

fn get(target: &str, headers: &str) -> String {
    format!("GET {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}\r\n")
}

fn port_of(url: &str) -> u16 {
    url.rsplit(':')
        .next()
        .and_then(|port| port.parse().ok())
        .expect("a URL with a port")
}

/// Returns `true` if this user may open `connections` at both ends; otherwise reports the test as skipped.
pub(crate) fn is_possible(what: &str, connections: usize) -> bool {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"))
        .unwrap_or_default();
    let soft_limit: usize = line
        .split_whitespace()
        .next()
        .and_then(|limit| limit.parse().ok())
        .unwrap_or(usize::MAX);
    if soft_limit < connections + MORE {
        skipped(
            what,
            &format!(
                "{} open files are needed, and this user may have {soft_limit} (ulimit -n)",
                connections + MORE
            ),
        );
        return false;
    }
    true
}
