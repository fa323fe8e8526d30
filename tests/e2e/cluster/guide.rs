//! The guide's commands, from an empty database and empty machines; only paths, passwords and ports are replaced.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;
use voight_tests::postgres::Cluster;
use voight_tests::{guide, http, ports};

const GUIDE: &str = include_str!("../../../docs/guides/cluster-with-postgresql.md");
const PASSWORD: &str = "correct-horse";
const PAUSE: Duration = Duration::from_millis(50);
const POLL_ATTEMPTS: u32 = 400;

/// Machine: a directory in which commands run, and the ports of its service.
struct NodeMachine {
    folder: PathBuf,
    public: u16,
    admin: u16,
    service: Option<Child>,
}

impl NodeMachine {
    fn new(folder: PathBuf) -> Self {
        std::fs::create_dir(&folder).expect("a folder");
        Self {
            folder,
            public: ports::free(),
            admin: ports::free(),
            service: None,
        }
    }

    /// Returns a shell with `voight` on its path.
    fn shell(&self, script: &str) -> Command {
        let mut shell = guide::shell(script);
        shell.current_dir(&self.folder).stdin(Stdio::null());
        let listen = |port: u16| format!("127.0.0.1:{port}");
        shell
            .env("VOIGHT__SERVER__LISTEN", listen(self.public))
            .env("VOIGHT__SERVER__ADMIN_LISTEN", listen(self.admin));
        shell
    }

    /// Starts the service with the guide's command, which replaces the shell, and waits until it is ready.
    fn serve(&mut self, command: &str) {
        let mut shell = self.shell(&command.replacen("voight --store", "exec voight --store", 1));
        self.service = Some(shell.stderr(Stdio::null()).spawn().expect("bash starts"));
        let url = format!("http://127.0.0.1:{}/readyz", self.admin);
        let is_ready =
            || http::get(&http::agent(), &url, &[]).is_ok_and(|answer| answer.status == 200);
        let soon = (0..POLL_ATTEMPTS).any(|_| {
            thread::sleep(PAUSE);
            is_ready()
        });
        assert!(soon, "the service is not ready: {command}");
    }

    fn run(&self, script: &str) -> String {
        let output = self.shell(script).output().expect("bash starts");
        assert!(
            output.status.success(),
            "{script}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).expect("text")
    }

    /// Returns the status of a request with this key.
    fn status(&self, key: &str) -> u16 {
        let url = format!(
            "http://127.0.0.1:{}/api/v1/register/context_id",
            self.public
        );
        let headers = [("x-api-key", key), ("content-type", "application/json")];
        let body = br#"{"context_title":"spring"}"#;
        http::post(&http::agent(), &url, &headers, body)
            .expect("the service answers")
            .status
    }
}

impl Drop for NodeMachine {
    fn drop(&mut self) {
        if let Some(mut service) = self.service.take() {
            let _ = service.kill();
            let _ = service.wait();
        }
    }
}

fn pepper(data_dir: &Path) -> String {
    std::fs::read_to_string(data_dir.join("pepper"))
        .expect("the first machine has made a pepper")
        .trim()
        .to_owned()
}

#[test]
fn cluster_guide_is_executed() {
    let server = tempfile::tempdir().expect("a folder");
    let folder = tempfile::tempdir().expect("a folder");
    let cluster = Cluster::start(server.path()).expect("a server");
    for statement in guide::block(GUIDE, "role")
        .replace('…', PASSWORD)
        .split_inclusive(';')
    {
        cluster.run(statement).expect("the guide's SQL");
    }
    let block = |name: &str| {
        guide::block(GUIDE, name)
            .replace("PGPASSWORD=…", &format!("PGPASSWORD={PASSWORD}"))
            .replace("db.example", &cluster.address())
    };
    let mut first = NodeMachine::new(folder.path().join("first"));
    first.serve(&block("first"));
    let mut next = NodeMachine::new(folder.path().join("next"));
    let pepper = pepper(&first.folder.join("voight-data"));
    next.serve(&block("next").replace("VOIGHT_PEPPER=…", &format!("VOIGHT_PEPPER={pepper}")));
    let output = next.run(guide::block(GUIDE, "client"));
    let key = output
        .split_whitespace()
        .find(|word| word.starts_with("vgt_live_"))
        .expect("a key");
    assert_eq!(
        [first.status(key), next.status(key)],
        [200, 200],
        "a key is good at both"
    );
}
