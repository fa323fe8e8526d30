//! Several processes on one database: one set of books, whoever answers, and whoever dies.
#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;
use voight_tests::postgres::Postgres;
use voight_tests::server::{Account, Server};
use voight_tests::{command, http};

const WHO: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const PEPPER: &str = "1111111111111111111111111111111111111111111111111111111111111111";

const PAUSE: Duration = Duration::from_millis(20);

/// A database for the processes of one test.
struct Stage {
    server: Postgres,
    schema: String,
    url: String,
    folder: TempDir,
}

impl Stage {
    fn new(name: &str) -> Self {
        let server = Postgres::shared().expect("a private server");
        let schema = format!("nodes_{name}_{}", std::process::id());
        let url = server.schema(&schema).expect("a schema");
        Self { server, schema, url, folder: tempfile::tempdir().expect("a folder") }
    }

    /// What every process of this store is told.
    fn settle(&self, command: &mut Command) {
        command.arg("--store").arg(&self.url).env("VOIGHT_PEPPER", PEPPER);
    }

    /// A server with a data directory of its own.
    fn node(&self, name: &str) -> Server {
        Server::start_with(&self.folder.path().join(name), |command| self.settle(command))
    }

    /// A command in the data directory of a node.
    fn run(&self, node: &str, arguments: &[&str]) -> Output {
        let mut command = command::voight(&self.folder.path().join(node));
        self.settle(&mut command);
        command.args(arguments).output().expect("the binary starts")
    }

    fn count(&self, what: &str) -> u64 {
        let found = self.server.run(&format!("SELECT {what} FROM {}.ledger", self.schema)).expect("a count");
        found.parse().expect("a number")
    }
}

/// Looks up with an idempotency key at one node after the other, until one answers.
fn look_up(nodes: &[String], account: &Account, number: usize) {
    for attempt in 0..200 {
        let node = &nodes[(number + attempt) % nodes.len()];
        let url = format!("{node}/api/v1/users/eoa?eoa_address={WHO}&context_id={}", account.context);
        let idempotency = format!("request-{number}");
        let headers = [("x-api-key", account.key.as_str()), ("idempotency-key", idempotency.as_str())];
        if http::get(&http::agent(), &url, &headers).is_ok_and(|answer| answer.status == 200) {
            return;
        }
        thread::sleep(PAUSE);
    }
    panic!("nobody answers request {number}");
}

#[test]
fn three_nodes_keep_one_ledger_while_one_is_killed() {
    let stage = Stage::new("ledger");
    let mut nodes = [stage.node("a"), stage.node("b"), stage.node("c")];
    let account = nodes[0].account("acme");
    let urls: Vec<_> = nodes.iter().map(Server::url).collect();
    let next = Mutex::new(0..400);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while let Some(number) = { next.lock().expect("no panic").next() } {
                    look_up(&urls, &account, number);
                }
            });
        }
        while next.lock().expect("no panic").start < 100 {
            thread::sleep(PAUSE);
        }
        nodes[1].kill();
        assert!(next.lock().expect("no panic").start < 400, "nothing was under way when the node was killed");
    });
    assert_eq!((stage.count("count(*)"), stage.count("max(seq)")), (400, 400), "the ledger is not exact");
    let verified = stage.run("a", &["audit", "verify"]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
    let info = command::json(nodes[0].data_dir(), &["store", "info"]);
    assert_eq!((&info["engine"], &info["health"]), (&"postgres".into(), &"ready".into()), "{info}");
}

#[test]
fn a_key_revoked_at_one_node_is_refused_at_the_other() {
    let stage = Stage::new("keys");
    let (one, other) = (stage.node("a"), stage.node("b"));
    let account = one.account("acme");
    assert_eq!(other.look_up(&account, WHO).status, 200);
    command::json(one.data_dir(), &["key", "revoke", &account.key_id]);
    assert_eq!(other.look_up(&account, WHO).status, 401);
    assert_eq!(stage.count("count(*)"), 1);
}

#[track_caller]
fn assert_refused(output: &Output, code: i32, words: &[&str]) {
    let sentence = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{sentence}");
    assert!(words.iter().all(|word| sentence.contains(word)), "{sentence}");
    assert!(!sentence.contains("secret"), "{sentence}");
}

#[test]
fn what_cannot_be_a_store_is_refused_in_a_sentence() {
    let stage = Stage::new("refusals");
    drop(stage.node("a"));
    let serve = |url: &str, pepper: &str| {
        let mut command = command::voight(&stage.folder.path().join("b"));
        command.args(["--store", url, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]);
        command.env("VOIGHT_PEPPER", pepper).output().expect("the binary starts")
    };
    assert_refused(&serve(&stage.url, &PEPPER.replace('1', "2")), 3, &["another pepper"]);
    let loose = format!("{}%20-csynchronous_commit%3Doff", stage.url);
    assert_refused(&serve(&loose, PEPPER), 3, &["synchronous_commit = off", "set synchronous_commit = on"]);
    let nobody = "postgres://voight:secret@127.0.0.1:1/voight";
    assert_refused(&serve(nobody, PEPPER), 5, &["no database answers at postgres://voight@127.0.0.1:1/voight"]);
    assert_refused(&serve("postgres://voight:secret@h:x/voight", PEPPER), 3, &["postgres://USER@HOST/DATABASE"]);
    assert!(!Path::new(&stage.folder.path().join("b")).exists(), "a refusal has left something behind");
    assert_refused(&stage.run("a", &["store", "verify"]), 2, &["is a database and has no files", "pg_dump"]);
}

#[test]
fn a_password_is_shown_nowhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["--store", "postgres://voight:secret@db.example/voight", "config", "show"];
    let shown = command::run(&folder.path().join("data"), &arguments);
    let text = String::from_utf8_lossy(&shown.stdout);
    assert!(shown.status.success() && text.contains("postgres://voight@db.example/voight"), "{text}");
    assert!(!text.contains("secret"), "{text}");
}
